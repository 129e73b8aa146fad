"""The public names: one object under several paths, unknown names, and the check of a script."""

import importlib
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import support
import tensorflow as tf


class OneObject(unittest.TestCase):
    def test_paths_of_one_module(self):
        import keras
        from tensorflow.python import ipu, keras as inner

        self.assertIs(tf.keras, keras)
        self.assertIs(inner, keras)
        self.assertIs(tf.keras.ipu, ipu.keras)
        self.assertIs(ipu.pipelining_ops, ipu.ops.pipelining_ops)
        self.assertIs(tf.optimizers, keras.optimizers)
        self.assertIs(tf.data.experimental.AUTOTUNE, tf.data.AUTOTUNE)

    def test_paths_of_one_class(self):
        from keras.optimizer_v2.gradient_descent import SGD
        from tensorflow.keras.layers import Dense
        from tensorflow.python.data.ops.dataset_ops import Dataset
        from tensorflow.python.ipu import config, ipu_strategy, utils
        from tensorflow.python.keras.layers import Dense as inner

        self.assertIs(Dense, inner)
        self.assertIs(SGD, tf.keras.optimizers.SGD)
        self.assertIs(Dataset, tf.data.Dataset)
        self.assertIs(config.IPUConfig, utils.IPUConfig)
        self.assertIs(config.DeviceConnectionType, utils.DeviceConnectionType)
        self.assertIs(ipu_strategy.IPUStrategy, ipu_strategy.IPUStrategyV1)

    def test_every_listed_name_exists(self):
        from tilewright.names import tree
        from tilewright.names.finder import load

        for module, names in tree.tables().items():
            for name, source in names.items():
                with self.subTest(f"{module}.{name}"):
                    load(source)

    def test_every_module_can_be_imported(self):
        from tilewright.names import tree

        for name in tree.modules():
            if name.split(".")[0] in tree.TOPS:
                self.assertEqual(importlib.import_module(name).__name__, name)

    def test_version(self):
        self.assertEqual(tf.__version__[0], "2")


class Unknown(unittest.TestCase):
    def test_a_missing_name_is_named(self):
        with self.assertRaisesRegex(AttributeError, "tensorflow.nonsense is not there yet"):
            tf.nonsense
        with self.assertRaisesRegex(AttributeError, "keras.layers.Dens is not there yet.*Dense"):
            tf.keras.layers.Dens
        with self.assertRaisesRegex(ImportError, "nonsense"):
            from tensorflow.keras import nonsense  # noqa: F401
        with self.assertRaises(ImportError):
            importlib.import_module("tensorflow.nonsense.deeper")


class Check(unittest.TestCase):
    def findings(self, text):
        from tilewright.check import missing_names

        return [(finding.line, finding.name) for finding in missing_names(textwrap.dedent(text))]

    def test_names_are_followed_through_imports_and_assignments(self):
        found = self.findings("""\
            import tensorflow as tf
            from tensorflow import keras as k
            layers = k.layers
            x = layers.Dense(3, activation=tf.nn.relu)
            y = layers.NoSuchLayer(x)
            tf.no_such_function(tf.constant(1))
            def f(a=tf.no_default):
                return k.losses.NoSuchLoss()
            """)
        self.assertEqual(found, [(5, "keras.layers.NoSuchLayer"), (6, "tensorflow.no_such_function"), (7, "tensorflow.no_default"),
                                 (8, "keras.losses.NoSuchLoss")])

    def test_imports(self):
        found = self.findings("""\
            import numpy as np
            from tensorflow.python.ipu import no_such_module
            from tensorflow.python.ipu.config import IPUConfig
            import tensorflow.nowhere
            import horovod
            """)
        self.assertEqual(found, [(2, "tensorflow.python.ipu.no_such_module"), (4, "tensorflow.nowhere"), (5, "horovod")])

    def test_a_name_that_hides_a_module_is_the_scripts_own(self):
        self.assertEqual(self.findings("""\
            import tensorflow as tf
            def f(tf):
                return tf.anything
            """), [])

    def test_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "s.py")
            with open(script, "w") as file:
                file.write("import tensorflow as tf\nraise SystemExit(9)\ntf.no_such\n")
            done = run("--check", script)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout, f"{script}:3: tensorflow.no_such is not there yet\n")


class Running(unittest.TestCase):
    def test_a_script_is_main_with_its_own_folder_and_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "beside.py"), "w") as file:
                file.write("value = 5\n")
            script = os.path.join(folder, "s.py")
            with open(script, "w") as file:
                file.write("import sys, beside\nimport tensorflow as tf\n"
                           "print(__name__, sys.argv[1:], beside.value, tf.constant(1).numpy())\nsys.exit(3)\n")
            done = run(script, "--epochs", "5")
            self.assertEqual((done.stdout, done.returncode), ("__main__ ['--epochs', '5'] 5 1\n", 3))

    def test_a_missing_script(self):
        done = run("/nonexistent.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nonexistent.py", done.stderr)

    def test_path_makes_the_packages_importable(self):
        folders = run("--path").stdout.strip()
        done = subprocess.run([sys.executable, "-c", "import keras, tensorflow; print(keras is tensorflow.keras)"], text=True,
                              capture_output=True, env={**os.environ, "PYTHONPATH": folders}, check=False)
        self.assertEqual(done.stdout, "True\n", done.stderr)


def run(*arguments):
    folders = os.pathsep.join([support.PACKAGES, os.environ.get("PYTHONPATH", "")])
    return subprocess.run([sys.executable, "-m", "tilewright", *arguments], text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": folders}, check=False)


if __name__ == "__main__":
    unittest.main()
