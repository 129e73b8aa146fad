"""Functions and models that answer requests."""

import os
import tempfile
import unittest

import numpy as np
from support import ipu

import tensorflow as tf
from tensorflow import keras
from tensorflow.python.ipu import serving


class Serving(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.place = os.path.join(self._folder.name, "served", "001")

    def tearDown(self):
        self._folder.cleanup()

    def test_a_function(self):
        with ipu():
            step = tf.function(lambda x: x * 2.0)
            served = serving.export_single_step(step, self.place, 4, [tf.TensorSpec([4], tf.float32)])
            self.assertIn("function.txt", os.listdir(self.place))
            for i in range(3):
                answer = served(np.full(4, i, np.float32))
                self.assertEqual([tensor.numpy().tolist() for tensor in answer], [[2.0 * i] * 4])
            with self.assertRaisesRegex(TypeError, "Argument 0"):
                served(np.ones(5, np.float32))
            with self.assertRaisesRegex(ValueError, "not empty"):
                serving.export_single_step(step, self.place, 4, [tf.TensorSpec([4], tf.float32)])

    def test_steps_on_the_host_around_it(self):
        with ipu():
            served = serving.export_single_step(
                tf.function(lambda x: x + 1.0), self.place, 1, [tf.TensorSpec([2], tf.float32)],
                preprocessing_step=lambda text: tf.stack([2.0 if part == "yes" else 0.0 for part in tf.unstack(text)]),
                postprocessing_step=lambda x: tf.reduce_sum(x))
            self.assertEqual(float(served(tf.constant(["yes", "no"]))), 4.0)

    def test_a_model(self):
        with ipu():
            inputs = [keras.layers.Input(shape=4, batch_size=1, name=name) for name in ("a", "b")]
            model = keras.Model(inputs, keras.layers.Add()(inputs))
            served = model.export_for_ipu_serving(self.place, output_names="sum")
            answer = served(np.ones((1, 4), np.float32), np.full((1, 4), 2, np.float32))
            self.assertEqual(answer["sum"].numpy().tolist(), [[3.0] * 4])
            self.assertIn("model.tilewright", os.listdir(self.place))

    def test_a_signature_comes_from_one_place(self):
        with ipu():
            with self.assertRaisesRegex(ValueError, "not known"):
                serving.export_single_step(tf.function(lambda x: x), self.place, 1)
            step = tf.function(lambda x: x, input_signature=[tf.TensorSpec([1], tf.float32)])
            with self.assertRaisesRegex(ValueError, "more than once"):
                serving.export_single_step(step, self.place, 1, [tf.TensorSpec([1], tf.float32)], purge_export_dir=True)

    def test_a_model_that_python_describes(self):
        with tempfile.TemporaryDirectory() as folder, ipu():
            inputs = keras.Input((4,), batch_size=1)
            model = keras.Model(inputs, keras.layers.Lambda(tf.reduce_sum)(keras.layers.Lambda(tf.abs)(inputs)))
            answer = model.export_for_ipu_serving(os.path.join(folder, "served"))
            self.assertEqual(float(answer(np.array([[1, -2, 3, -4]], np.float32))[0]), 10.0)
            with open(os.path.join(folder, "served", "function.txt"), encoding="utf-8") as file:
                self.assertIn("reduce_sum", file.read())


if __name__ == "__main__":
    unittest.main()
