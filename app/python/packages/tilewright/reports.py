"""Reports of the programs that a script runs: TILEWRIGHT_REPORT names their folder.

A fit has a report of its own, with its curves. Other programs have one each, written when they run first.
"""

import os
import re

_written = {}   # what a program is -> its file
_count = 0
_folder = None


def folder():
    """The absolute folder of the reports, or None without reports. It is resolved once, before the script changes its working directory."""
    global _folder
    if _folder is None and os.environ.get("TILEWRIGHT_REPORT"):
        _folder = os.path.abspath(os.environ["TILEWRIGHT_REPORT"])
    return _folder


def path_for(name, kind, program=None):
    """The file for the report of a program, such as 01-sequential-fit.twreport; None where there is none to write.

    `program`: what it is, for programs that may run again; None: each run has a report.
    """
    global _count
    if folder() is None or (program is not None and (kind, program) in _written):
        return None
    os.makedirs(folder(), exist_ok=True)
    _count += 1
    path = os.path.join(folder(), f"{_count:02}-{re.sub('[^A-Za-z0-9_.-]+', '_', name)}-{kind}.twreport")
    if program is not None:
        _written[(kind, program)] = path
    return path
