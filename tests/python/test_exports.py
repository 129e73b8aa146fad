"""`tilewright export --to python`: the script that it writes trains to the same weights. Also the reports of programs that a script runs."""

import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

PROGRAM = os.environ.get("TILEWRIGHT_PROGRAM")
#: Runs a script and keeps the weights of its model by Keras's names.
_WRAPPER = """
import runpy, sys
import numpy as np
model = runpy.run_path(sys.argv[1])["model"]
np.savez(sys.argv[2], **{weight.name.partition(":")[0]: weight.numpy() for weight in model.weights})
"""


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=500)


@unittest.skipUnless(PROGRAM, "TILEWRIGHT_PROGRAM names the program")
class Exports(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self._folder.cleanup()

    def place(self, name):
        return os.path.join(self._folder.name, name)

    def good(self, *arguments):
        ran = run(*arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr + ran.stdout)
        return ran

    def project(self, template, *fields):
        self.good("new", template, self.place("p.tilewright"), *fields, "--force")
        return self.place("p.tilewright")

    def check(self, template, *fields):
        """The script's weights are those of the project's training, bit for bit."""
        project = self.project(template, *fields)
        self.good("train", project, "--checkpoint", self.place("wanted.npz"), "--quiet")
        self.good("export", project, "--to", "python", self.place("script.py"), "--force")
        with open(self.place("wrapper.py"), "w", encoding="utf-8") as file:
            file.write(_WRAPPER)
        self.good("python", self.place("wrapper.py"), self.place("script.py"), self.place("found.npz"))
        with np.load(self.place("wanted.npz")) as wanted, np.load(self.place("found.npz")) as found:
            self.assertTrue(found.files)
            for name in found.files:
                np.testing.assert_array_equal(found[name], wanted[name], err_msg=name)
        with open(self.place("script.py"), encoding="utf-8") as file:
            return file.read()

    def test_every_template_trains_to_the_same_weights(self):
        short = ("training.epochs=2", "training.steps_per_epoch=20")
        small = ("training.epochs=2", "data.limit=640")
        refused = {"custom-loop": ("export.python", "training.loop"), "empty": ("model.empty", "")}
        names = [row["name"] for row in json.loads(self.good("templates", "--json").stdout)]
        self.assertIn("mnist-mlp", names)
        for name in names:
            with self.subTest(name):
                if name in refused:
                    ran = run("export", self.project(name), "--to", "python", self.place("script.py"), "--json")
                    error = json.loads(ran.stdout)["error"]
                    self.assertEqual((ran.returncode, error["code"]), (3, refused[name][0]))
                    self.assertIn(refused[name][1], error["subject"])
                else:
                    self.check(name, *(short if name == "mnist-mlp" else small))

    def test_plans_of_ipus(self):
        text = self.check("mnist-mlp", "training.epochs=1", "data.limit=1280", "training.gradient_accumulation_steps=4",
                          "training.steps_per_execution=8", "training.optimizer=adam", "training.gradient_accumulation_reduction=mean")
        self.assertIn("set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=4", text)
        text = self.check("mnist-mlp", "training.epochs=1", "data.limit=1280", "training.replicas=2", "system.target=pod4", "training.seed=7",
                          "training.validation_split=0.1", "training.batch_size=16", "training.shuffle=false")
        self.assertIn("auto_select_ipus = 2", text)
        text = self.check("mnist-mlp", "training.epochs=1", "data.limit=2048", "system.target=pod4", "model.layers.flatten.stage=0",
                          "model.layers.dense.stage=0", "model.layers.dense_1.stage=1", "model.layers.dense_2.stage=1",
                          "training.gradient_accumulation_steps=8", "training.steps_per_execution=8", "training.pipeline_schedule=interleaved",
                          "ipu_config.floating_point_behaviour.esr=ON")
        self.assertIn("zip(assignments, [0, 0, 1, 1])", text)
        self.assertIn("auto_select_ipus = 4", text)  # two replicas fit
        self.assertIn("esr = ipu.config.StochasticRoundingBehaviour.ON", text)

    def test_what_no_script_can_express_is_named(self):
        for field, subject in (("training.device_seed=3", "training.device_seed"), ("training.optimizer=lamb", "training.optimizer"),
                               ("data.convert=device", "data")):
            ran = run("export", self.project("mnist-mlp", field), "--to", "python", self.place("script.py"), "--json")
            error = json.loads(ran.stdout)["error"]
            self.assertEqual((error["code"], error["subject"]), ("export.python", subject))
            self.assertFalse(os.path.exists(self.place("script.py")))

    def test_another_file_is_not_replaced(self):
        with open(self.place("mine.py"), "w", encoding="utf-8") as file:
            file.write("print(1)\n")
        project = self.project("mnist-mlp")
        self.assertEqual(run("export", project, "--to", "python", self.place("mine.py")).returncode, 2)
        for _ in range(2):
            self.good("export", project, "--to", "python", self.place("ours.py"))

    def test_reports_of_what_a_script_ran(self):
        with open(self.place("script.py"), "w", encoding="utf-8") as file:
            file.write("""
import os
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
os.chdir("/")
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x, y = np.ones((32, 4), np.float32), np.zeros((32, 2), np.float32)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))], name="small")
    model.compile("sgd", "mse")
    model.fit(x, y, batch_size=8, epochs=2, verbose=0, validation_data=(x, y))
    for _ in range(2):
        model.predict(x, batch_size=8)

    @tf.function(jit_compile=True)
    def double(value):
        return value * 2.0

    strategy.run(double, args=[tf.constant([1.0, 2.0])])
""")
        ran = subprocess.run([PROGRAM, "python", "--report", "reports", self.place("script.py")], cwd=self._folder.name, capture_output=True,
                             text=True, timeout=300)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        files = sorted(os.listdir(self.place("reports")))
        self.assertEqual(files, ["01-small-fit.twreport", "02-small-evaluate.twreport", "03-small-predict.twreport",
                                 "04-double-function.twreport"])
        for name in files:
            self.good("check-report", self.place("reports/" + name))
            self.assertIn("gc200", self.good("report", self.place("reports/" + name), "summary").stdout)


if __name__ == "__main__":
    unittest.main()
