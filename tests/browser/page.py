#!/usr/bin/env python3
"""Opens the audit's page in a real browser (headless Chromium): its script runs under its own policy, a run's evidence
is shown, and 2,000 rows are there in under two seconds.

    tests/browser/page.py BINARY ROOT

Exit status 77 (skipped) where no Chromium is installed. Time is the browser's processor time beyond that of an empty
page: its own start says nothing about ours, and other work on the machine does not count.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ROWS = 2000
FEW = 20  # runs that are audited for them
MOST_SECONDS = 2.0
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opened(browser, page, work):
    """The document after its script has run, and the seconds of processor time that took."""
    profile = tempfile.mkdtemp(dir=work)
    before = children_seconds()
    done = subprocess.run([browser, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", "file://" + page],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=240, check=True)
    return done.stdout.decode(), children_seconds() - before


def audit(binary, runs, page):
    done = subprocess.run([binary, "audit", runs, "--quiet", "--html", page], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 1), f"audit ended with {done.returncode}"


def multiply(page, times):
    """The rows and the evidence of a page that the program wrote, many times over: reading 2,000 logs is not tested here."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for before, between, after in ((' class="runs"><thead>', "", "</tbody>"), ('id="evidence">[', ",", "]</script>")):
        start = text.index(before) + len(before)
        start = text.index("<tbody>", start) + len("<tbody>") if not between else start
        end = text.index(after, start)
        text = text[:start] + between.join([text[start:end]] * times) + text[end:]
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    binary, root = (os.path.abspath(arg) for arg in sys.argv[1:3])
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        print("skipped: no Chromium here (apt-get install chromium)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(root, "corpus/lab/seq-320/train.log")
        page = os.path.join(work, "page.html")

        os.mkdir(os.path.join(work, "one"))
        shutil.copy(log, os.path.join(work, "one", "a<b>&.log"))
        audit(binary, os.path.join(work, "one"), page)
        text, _ = opened(browser, page, work)
        assert 'class="answer"' in text, "the evidence of a single run is open"
        assert 'aria-expanded="true"' in text
        assert "a&lt;b&gt;&amp;.log" in text, "names are text"
        assert 'class="tools" hidden' not in text, "the script ran"

        few = os.path.join(work, "few")
        os.mkdir(few)
        for number in range(FEW):
            shutil.copy(log, os.path.join(few, f"{number:04}.log"))
        audit(binary, few, page)
        multiply(page, ROWS // FEW)
        empty = os.path.join(work, "empty.html")
        with open(empty, "w", encoding="utf-8") as out:
            out.write("<!DOCTYPE html><title>empty</title>")
        _, start = opened(browser, empty, work)
        text, seconds = opened(browser, page, work)
        rows = text.count("<tr data-state=")
        assert rows == ROWS, f"{rows} rows"
        print(f"{ROWS} rows, {os.path.getsize(page) / 1e6:.1f} MB: {seconds - start:.2f} s beyond an empty page's {start:.2f} s")
        assert seconds - start < MOST_SECONDS
    return 0


if __name__ == "__main__":
    sys.exit(main())
