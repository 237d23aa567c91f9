#!/usr/bin/env python3
"""Runs every example of README.md and compares what it prints.

usage: readme.py BINARY README [--update]

An example is a fenced block marked `console`: lines that start with "$ " are commands, run by bash from the project's root with the
binary on the PATH; what follows up to the next command is what they print (standard output and standard error together). A line "..."
stands for any number of lines. `./run ...` is run as the binary itself, without the launcher's set-up. --update rewrites
the outputs of commands whose expectation has no "..." line.
"""
import os
import re
import subprocess
import sys


def run(command, root, binary):
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(binary)) + ":" + os.environ["PATH"], NO_COLOR="1", COLUMNS="80")
    command = re.sub(r"(^|\| )\./run(?= )", r"\1autotune-scan", command)
    done = subprocess.run(["bash", "-c", command], cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8", "replace").splitlines()


def matches(expected, got):
    """Whether `got` is `expected`, where "..." stands for any lines."""
    if not expected:
        return not got
    if expected[0].strip() == "...":
        return any(matches(expected[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and expected[0].rstrip() == got[0].rstrip() and matches(expected[1:], got[1:])


def main():
    binary, readme = sys.argv[1:3]
    update = "--update" in sys.argv
    root = os.path.dirname(os.path.abspath(readme))
    lines = open(readme, encoding="utf-8").read().split("\n")
    out, i, count, failed = [], 0, 0, 0
    while i < len(lines):
        out.append(lines[i])
        i += 1
        if out[-1].strip() != "```console":
            continue
        while i < len(lines) and lines[i].strip() != "```":
            command = lines[i]
            i += 1
            if not command.startswith("$ "):
                sys.exit(f"{readme}:{i}: an example starts with a command (\"$ ...\")")
            expected = []
            while i < len(lines) and lines[i].strip() != "```" and not lines[i].startswith("$ "):
                expected.append(lines[i])
                i += 1
            out.append(command)
            if "# not run" in command:
                out += expected
                continue
            count += 1
            got = run(command[2:], root, binary)
            if update and not any(e.strip() == "..." for e in expected):
                out += [g.rstrip() for g in got]
                continue
            out += expected
            if not matches(expected, got):
                failed += 1
                print(f"{readme}:{i}: {command}\n--- expected\n" + "\n".join(expected) + "\n--- printed\n" + "\n".join(got))
    if update:
        open(readme, "w", encoding="utf-8").write("\n".join(out))
    if not count:
        sys.exit(f"{readme}: no example found")
    print(f"{count - failed} of {count} examples print what {os.path.basename(readme)} shows")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
