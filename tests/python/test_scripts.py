"""The table of scripts that `packaging/dev check scripts` prints."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("TILEWRIGHT_PROGRAM")
RUNNER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts", "run_scripts.py")


@unittest.skipUnless(PROGRAM, "TILEWRIGHT_PROGRAM names the program")
class Table(unittest.TestCase):
    def test_each_script_has_a_row(self):
        texts = {"good.py": "import tensorflow as tf, sys\nfrom helper import VALUE\nprint(VALUE, sys.argv[1:])\n",
                 "helper.py": "import tensorflow\nVALUE = 3\n", "bad.py": "import keras\nkeras.layers.NoSuchLayer\n", "plain.py": "1 / 0\n",
                 "test_good.py": "import tensorflow\n1 / 0\n", "arguments.txt": "good.py --epochs 2\n"}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            ran = subprocess.run([sys.executable, RUNNER, PROGRAM, folder], capture_output=True, text=True, timeout=300)
        rows = [line.split(None, 3) for line in ran.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows[1:-1]], ["bad.py", "good.py"])
        self.assertIn("NoSuchLayer", rows[1][3])
        self.assertEqual(rows[2][1], "ran")
        self.assertEqual(rows[2][3], "3 ['--epochs', '2']")
        self.assertEqual(ran.stdout.splitlines()[-1], "1 of 2 scripts ran to their end")
        self.assertEqual(ran.returncode, 1)


if __name__ == "__main__":
    unittest.main()
