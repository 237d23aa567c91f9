#!/usr/bin/env python3
"""The program at streams that are still being written: real processes, pipes that stall, are killed or closed, rotated files.

usage: live.py BINARY ROOT
"""
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BINARY, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LOG = os.path.join(ROOT, "corpus/lab/backends-added-triton/train.log")
MANIFEST = os.path.join(ROOT, "corpus/lab/aten-only-cold/manifest.md")
# How many times longer than the release build a build may take that checks itself (sanitizers).
PATIENCE = float(os.environ.get("AUTOTUNE_TEST_PATIENCE", "1"))
FOOTER = b"SingleProcess AUTOTUNE benchmarking takes"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def head_and_tail():
    """The log up to the first footer's line break, and the rest."""
    text = read(LOG)
    end = text.index(b"\n", text.index(FOOTER)) + 1
    return text[:end], text[end:]


class Scan:
    """A running program whose output is gathered as it comes, each line with its time."""

    def __init__(self, *args, stdin=subprocess.PIPE):
        self.process = subprocess.Popen([BINARY, *args], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = []
        self.reader = threading.Thread(target=self.gather, daemon=True)
        self.reader.start()

    def gather(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.decode("utf-8", "replace").rstrip("\n")))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_for(self, word, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for when, line in list(self.lines):
                if word in line:
                    return when, line
            time.sleep(0.002)
        raise AssertionError(f"no line with {word!r} within {seconds} s; got {[line for _, line in self.lines][:5]}")

    def end(self, seconds=20):
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(seconds)
        self.reader.join(seconds)
        self.process.stdout.close()
        self.process.stderr.close()
        return code, "\n".join(line for _, line in self.lines)


class Live(unittest.TestCase):
    def test_the_page_of_an_interrupted_stream_holds_what_was_read(self):
        head, _ = head_and_tail()
        with tempfile.TemporaryDirectory() as work:
            page = os.path.join(work, "page.html")
            scan = Scan("-", "--manifest", MANIFEST, "--html", page)
            scan.write(head)
            scan.wait_for("so far: MISMATCH")
            self.assertFalse(os.path.exists(page), "a page that is there is whole")
            scan.process.send_signal(signal.SIGINT)
            code, _ = scan.end()
            self.assertEqual(code, 130)
            text = read(page).decode()
            self.assertIn("MISMATCH", text)
            self.assertIn("triton_mm_8", text)
            self.assertTrue(text.endswith("</html>\n"))
            self.assertEqual(os.listdir(work), ["page.html"])

    def test_a_page_that_cannot_be_written_is_told_before_the_reading(self):
        scan = Scan("-", "--html", "/nonexistent/page.html")
        self.assertEqual(scan.process.wait(10), 2)
        self.assertIn(b"/nonexistent/page.html", scan.process.stderr.read())
        scan.end()

    def test_the_verdict_comes_when_the_first_block_closes(self):
        head, tail = head_and_tail()
        # The best of three: the machine that tests may be busy, the program must not be slow.
        best = float("inf")
        for _ in range(3):
            scan = Scan("-", "--manifest", MANIFEST)
            scan.write(head[:-1])
            time.sleep(0.3)
            self.assertEqual(scan.lines, [])
            start = time.monotonic()
            scan.write(b"\n")
            when, line = scan.wait_for("so far: MISMATCH")
            best = min(best, when - start)
            self.assertIn("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", line)
            scan.write(tail)
            code, text = scan.end()
            self.assertEqual(code, 1)
            self.assertIn("3 problems", text)
        self.assertLess(best, 0.1 * PATIENCE)

    def test_a_verdict_is_revised_by_later_lines(self):
        head, _ = head_and_tail()
        scan = Scan("-", "--manifest", MANIFEST)
        scan.write(head)
        scan.wait_for("so far: MISMATCH")
        scan.write(b"TORCHINDUCTOR_FORCE_DISABLE_CACHES=1\n")
        scan.wait_for("so far: MISMATCH This run tuned")
        end = time.monotonic() + 10
        while sum("so far: " in line for _, line in scan.lines) < 2 and time.monotonic() < end:
            time.sleep(0.005)
        self.assertGreaterEqual(sum("so far: " in line for _, line in scan.lines), 2)
        scan.end()

    def test_blocks_of_a_json_stream_come_as_they_close(self):
        head, tail = head_and_tail()
        scan = Scan("-", "--format", "json")
        scan.write(head)
        scan.wait_for('"type":"block"')
        scan.write(tail)
        code, text = scan.end()
        self.assertEqual(code, 0)
        self.assertEqual(text.count('"type":"verdict"'), 1)

    def test_fail_fast_ends_while_the_stream_goes_on(self):
        head, _ = head_and_tail()
        scan = Scan("-", "--manifest", MANIFEST, "--fail-fast")
        scan.write(head)
        self.assertEqual(scan.process.wait(10), 1)
        _, text = scan.end()
        self.assertIn("\nMISMATCH", "\n" + text)

    def test_an_interrupt_ends_the_reading_and_not_the_report(self):
        head, _ = head_and_tail()
        scan = Scan("-", "--manifest", MANIFEST)
        scan.write(head)
        scan.wait_for("so far: ")
        scan.process.send_signal(signal.SIGINT)
        self.assertEqual(scan.process.wait(10), 130)
        _, text = scan.end()
        self.assertIn("\nMISMATCH", "\n" + text)

    def test_a_writer_that_is_killed_leaves_a_report(self):
        head, tail = head_and_tail()
        writer = subprocess.Popen(["sh", "-c", f"head -c {len(head) + 700} '{LOG}'; exec sleep 60"], stdout=subprocess.PIPE)
        scan = Scan("-", "--manifest", MANIFEST, stdin=writer.stdout)
        writer.stdout.close()
        scan.wait_for("so far: ")
        writer.kill()
        writer.wait()
        code, text = scan.end()
        self.assertEqual(code, 1)
        self.assertIn("\nMISMATCH", "\n" + text)

    def test_a_reader_that_has_gone_ends_it_quietly(self):
        scan = subprocess.Popen([BINARY, "-", "--format", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        scan.stdout.close()
        try:
            for _ in range(200):
                scan.stdin.write(read(LOG))
                scan.stdin.flush()
        except BrokenPipeError:
            pass
        try:
            scan.stdin.close()
        except BrokenPipeError:
            pass
        scan.wait(20)
        self.assertEqual(scan.stderr.read(), b"")
        scan.stderr.close()

    def test_a_followed_file_may_be_rotated(self):
        head, tail = head_and_tail()
        for how in ("renamed", "truncated"):
            with self.subTest(how), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "pod.log")
                with open(path, "wb") as out:
                    out.write(b"step 1\n" * 4000)
                scan = Scan("--follow", path, "--format", "json", stdin=subprocess.DEVNULL)
                time.sleep(0.2)
                if how == "renamed":
                    os.rename(path, path + ".1")
                else:
                    os.truncate(path, 0)
                    time.sleep(0.2)
                with open(path, "ab") as out:
                    out.write(head)
                scan.wait_for('"type":"block"')
                with open(path, "ab") as out:
                    out.write(tail)
                end = time.monotonic() + 10
                while sum('"type":"block"' in line for _, line in scan.lines) < 3 and time.monotonic() < end:
                    time.sleep(0.01)
                scan.process.send_signal(signal.SIGINT)
                code, text = scan.end()
                self.assertEqual(code, 130)
                self.assertEqual(text.count('"type":"block"'), 3)

    def test_the_kubectl_plugin_passes_options_through(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = os.path.join(folder, "kubectl")
            with open(fake, "w") as out:
                out.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{folder}/args"\ncat "{LOG}"\n')
            os.chmod(fake, stat.S_IRWXU)
            os.symlink(BINARY, os.path.join(folder, "autotune-scan"))
            env = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
            plugin = os.path.join(ROOT, "analyzer/cli/kubectl-autotune_scan")
            done = subprocess.run([plugin, "trainer 0", "-c", "main", "--", "--manifest", MANIFEST, "--quiet"], env=env, stdout=subprocess.PIPE, timeout=20)
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stdout.startswith(b"MISMATCH"))
            self.assertEqual(read(f"{folder}/args").decode().split("\n")[:-1], ["logs", "-f", "trainer 0", "-c", "main"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
