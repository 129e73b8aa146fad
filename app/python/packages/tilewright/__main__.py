"""python3 -m tilewright SCRIPT [ARGUMENT…]: runs a script that is written for TensorFlow on the IPU."""

import os
import runpy
import sys

_USAGE = """Usage: python3 -m tilewright SCRIPT [ARGUMENT…]
       python3 -m tilewright --check SCRIPT
       python3 -m tilewright --path

Runs a Python script that is written for TensorFlow 2 on the IPU. Its models run on the emulated IPUs.

Options
  --check SCRIPT   lists the names that the script uses and that are not there yet, without running it
  --path           prints the folders that PYTHONPATH needs, so that `import tensorflow` finds these packages
  --help           shows this text
"""


def path():
    """The folders of the packages and of the extension module, for PYTHONPATH."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [packages]
    try:
        import _tilewright

        folders.append(os.path.dirname(os.path.abspath(_tilewright.__file__)))
    except ImportError:
        pass
    return os.pathsep.join(dict.fromkeys(folders))


def run(script, arguments):
    """Runs a script as Python would: its folder first in the path, its own arguments, the name __main__."""
    from tilewright.names import install

    install()
    sys.argv = [script, *arguments]
    folder = os.path.dirname(os.path.abspath(script))
    if sys.flags.safe_path:  # -P: nothing of the current folder is in front
        sys.path.insert(0, folder)
    else:
        sys.path[0] = folder
    runpy.run_path(script, run_name="__main__")


def main(arguments):
    if not arguments or arguments[0] in ("--help", "-h"):
        print(_USAGE, end="")
        return 0 if arguments else 2
    if arguments[0] == "--path":
        print(path())
        return 0
    if arguments[0] == "--check":
        from tilewright.check import main as check

        return check(arguments[1:])
    if arguments[0].startswith("-"):
        print(f"tilewright: there is no option {arguments[0]}. `python3 -m tilewright --help` lists the options.", file=sys.stderr)
        return 2
    if not os.path.isfile(arguments[0]):
        print(f"tilewright: {arguments[0]}: there is no such script.", file=sys.stderr)
        return 2
    run(arguments[0], arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
