"""The direct way: projects and arrays without the names of TensorFlow, and files between both ways."""

import os
import tempfile
import unittest

import support  # noqa: F401
import keras
import numpy as np
import tilewright
from support import blobs


class Direct(unittest.TestCase):
    def test_every_name_exists(self):
        for name in tilewright.__all__:
            getattr(tilewright, name)
        with self.assertRaisesRegex(AttributeError, "tilewright.nonsense"):
            tilewright.nonsense

    def test_a_saved_model_trains_to_the_same_weights(self):
        """What a script saves is the project of its fit."""
        x, y = blobs()
        keras.backend.clear_session()
        model = keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(6,)), keras.layers.Dense(3, "softmax")])
        model.compile("rmsprop", "sparse_categorical_crossentropy", metrics=["accuracy"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.tilewright")
            model.save(path)
            project = tilewright.open(path)
        history = model.fit(x, y, batch_size=16, epochs=2, verbose=0).history
        project.set("training.batch_size", "16")
        project.set("training.epochs", "2")
        epochs, weights, facts = tilewright.fit(project, x, y)
        self.assertEqual([epoch["loss"] for epoch in epochs], history["loss"])
        self.assertEqual(facts["steps"], 12)
        for variable in model.weights:
            self.assertEqual(weights[variable.name[:-2]].tobytes(), variable.numpy().tobytes())

    def test_predictions(self):
        project = tilewright.Project.template("mnist-mlp")
        project.set("system.target", "cpu")
        project.set("training.batch_size", "4")
        outputs = tilewright.predict(project, {"": np.zeros((4, 28, 28), np.float32)}, project.initial_weights())
        self.assertEqual(outputs[0].shape, (4, 10))
        np.testing.assert_allclose(outputs[0].sum(1), 1, rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
