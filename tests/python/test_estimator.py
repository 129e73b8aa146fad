"""IPUEstimator: model functions in the style of TensorFlow 1."""

import unittest

import numpy as np
from support import blobs

import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu


def model_fn(features, labels, mode):
    model = keras.Sequential([keras.layers.Dense(3)])
    logits = model(features, training=mode == tf.estimator.ModeKeys.TRAIN)
    loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss),
                                      eval_metric_ops={"accuracy": tf.compat.v1.metrics.accuracy(labels, tf.argmax(logits, axis=-1))})


class Estimator(unittest.TestCase):
    def setUp(self):
        options = ipu.config.IPUConfig()
        options.auto_select_ipus = 1
        config = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=2, ipu_options=options))
        self.estimator = ipu.ipu_estimator.IPUEstimator(config=config, model_fn=model_fn)
        self.x, self.y = blobs(count=64)

    def tearDown(self):
        ipu.config.reset_ipu_configuration()

    def data(self):
        return tf.data.Dataset.from_tensor_slices((self.x, self.y)).batch(16, drop_remainder=True).repeat()

    def test_it_trains_as_a_keras_model(self):
        self.assertIs(self.estimator.train(self.data, steps=8), self.estimator)
        trained = self.estimator.get_variable_value("dense/kernel")
        result = self.estimator.evaluate(self.data, steps=4)
        keras.backend.clear_session()
        model = keras.Sequential([keras.layers.Dense(3, input_shape=(6,))])
        model.compile(keras.optimizers.SGD(0.1), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
        model.fit(self.x, self.y, batch_size=16, epochs=2, shuffle=False, verbose=0)
        np.testing.assert_allclose(trained, model.get_weights()[0], rtol=1e-4, atol=1e-5)
        loss, accuracy = model.evaluate(self.x, self.y, batch_size=16, verbose=0)
        self.assertAlmostEqual(result["loss"], loss, places=4)
        self.assertAlmostEqual(result["accuracy"], accuracy, places=5)
        self.assertEqual(result["global_step"], 8)
        self.assertGreater(accuracy, 0.5)

    def test_evaluation_changes_no_weights_and_training_goes_on(self):
        self.estimator.train(self.data, steps=4)
        before = self.estimator.get_variable_value("dense/kernel")
        self.estimator.evaluate(self.data, steps=4)
        np.testing.assert_array_equal(self.estimator.get_variable_value("dense/kernel"), before)
        self.estimator.train(self.data, steps=4)
        self.assertFalse(np.array_equal(self.estimator.get_variable_value("dense/kernel"), before))

    def test_steps_are_whole_loops(self):
        with self.assertRaisesRegex(ValueError, "5 must be divisible.*2"):
            self.estimator.train(self.data, steps=5)


if __name__ == "__main__":
    unittest.main()
