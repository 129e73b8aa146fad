#!/usr/bin/python3
"""Runs the scripts of a folder with `tilewright python`, and prints a table of how each ended.

Usage: run_scripts.py PROGRAM FOLDER [--timeout SECONDS]

Each script runs in a folder of its own. FOLDER/arguments.txt may hold lines of a script's name and its arguments. Files that import
neither tensorflow nor keras, tests, and modules of other scripts are left out. Exits with 1 if a script fails.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

_IMPORT = re.compile(r"^\s*(?:import|from)\s+(tensorflow|keras)\b", re.MULTILINE)


def scripts_of(folder):
    """The scripts below a folder that stand alone."""
    files = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                with open(os.path.join(place, name), encoding="utf-8", errors="replace") as file:
                    files[os.path.join(place, name)] = file.read()
    def is_module(path):
        module = os.path.basename(path)[:-3]
        used = re.compile(rf"^\s*(?:from\s+{re.escape(module)}\s+import|import\s+{re.escape(module)}\b)", re.MULTILINE)
        return any(other != path and os.path.dirname(other) == os.path.dirname(path) and used.search(text) for other, text in files.items())
    return [path for path, text in files.items()
            if _IMPORT.search(text) and not os.path.basename(path).startswith("test_") and not is_module(path)]


def arguments_of(folder):
    try:
        with open(os.path.join(folder, "arguments.txt"), encoding="utf-8") as file:
            rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {row[0]: row[1:] for row in rows}


def last_line(text):
    lines = [line.strip() for line in re.split("[\r\n]+", text) if line.strip()]
    return lines[-1] if lines else ""


def run(program, path, arguments, timeout):
    """(how it ended, seconds, the last line of its output or its error)."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            ran = subprocess.run([program, "python", path, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", timeout=timeout)
        except subprocess.TimeoutExpired:
            return "too long", time.monotonic() - begin, f"stopped after {timeout} s"
    seconds = time.monotonic() - begin
    if ran.returncode == 0:
        return "ran", seconds, last_line(ran.stdout)
    return f"exit {ran.returncode}", seconds, last_line(ran.stderr)


def main(words):
    timeout = 900
    if len(words) == 4 and words[2] == "--timeout":
        timeout = int(words[3])
    elif len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    program, folder = os.path.abspath(words[0]), os.path.abspath(words[1])
    scripts, arguments = scripts_of(folder), arguments_of(folder)
    if not scripts:
        print(f"{folder}: there is no script that imports tensorflow or keras.", file=sys.stderr)
        return 2
    width = max(len(os.path.relpath(path, folder)) for path in scripts)
    print(f"{'script':{width}}  {'ended':8}  seconds  last line", flush=True)
    ended = []
    for path in scripts:
        name = os.path.relpath(path, folder)
        how, seconds, line = run(program, path, arguments.get(name, []), timeout)
        ended.append(how)
        print(f"{name:{width}}  {how:8}  {seconds:7.1f}  {line[:160]}", flush=True)
    good = ended.count("ran")
    print(f"{good} of {len(ended)} scripts ran to their end")
    return 0 if good == len(ended) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
