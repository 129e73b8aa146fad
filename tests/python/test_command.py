"""The command `tilewright python`."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("TILEWRIGHT_PROGRAM")


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300, **options)


@unittest.skipUnless(PROGRAM, "TILEWRIGHT_PROGRAM names the program")
class Command(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self._folder.cleanup()

    def script(self, text, name="script.py"):
        path = os.path.join(self._folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_script_has_its_own_arguments_and_exit_code(self):
        self.script("VALUE = 7\n", "beside.py")
        path = self.script("import sys, beside\nprint(sys.argv[1:], __name__, beside.VALUE)\nsys.exit(5)\n")
        ran = run("python", path, "--epochs", "5", "--json", "--", "--threads", "-v")
        self.assertEqual(ran.stdout, "['--epochs', '5', '--json', '--', '--threads', '-v'] __main__ 7\n")
        self.assertEqual(ran.returncode, 5)

    def test_the_packages_are_found_only_there(self):
        path = self.script("import tensorflow as tf\nprint(tf.__version__, float(tf.constant(1.5) * 2.0))\n")
        self.assertEqual(run("python", path).stdout, "2.6.3 3.0\n")
        self.assertIn(os.sep, run("python", "--path").stdout)

    def test_check_lists_what_is_missing_without_running(self):
        path = self.script("import tensorflow as tf\nopen('ran', 'w')\ntf.no_such_name\n")
        ran = run("python", "--check", path, cwd=self._folder.name)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(f"{path}:3: tensorflow.no_such_name", ran.stdout)
        self.assertFalse(os.path.exists(os.path.join(self._folder.name, "ran")))
        found = json.loads(run("--json", "python", "--check", path, cwd=self._folder.name).stdout)
        self.assertEqual(found, {"missing": [{"name": "tensorflow.no_such_name", "line": 3}]})

    def test_wrong_use(self):
        self.assertEqual(run("python").returncode, 2)
        self.assertEqual(run("python", "--no-such-option").returncode, 2)
        self.assertEqual(run("python", os.path.join(self._folder.name, "none.py")).returncode, 2)


if __name__ == "__main__":
    unittest.main()
