"""fit, evaluate and predict on the host and on an IPU: numbers, logs, steps and callbacks."""

import os
import tempfile
import unittest

import support  # noqa: F401
import keras
import numpy as np
import tensorflow as tf
from support import blobs, ipu


def model_of(features=6, classes=3, name=None):
    keras.backend.clear_session()
    return keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(features,)),
                             keras.layers.Dense(classes, activation="softmax")], name=name)


def compiled(**options):
    model = model_of()
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], **options)
    return model


class Recorder(keras.callbacks.Callback):
    """Notes what it hears."""

    def __init__(self):
        super().__init__()
        self.heard = []

    def on_train_begin(self, logs=None):
        self.heard.append("train begin")

    def on_epoch_begin(self, epoch, logs=None):
        self.heard.append(f"epoch {epoch}")

    def on_train_batch_end(self, batch, logs=None):
        self.heard.append((batch, sorted(logs)))

    def on_epoch_end(self, epoch, logs=None):
        self.heard.append((f"end {epoch}", sorted(logs)))

    def on_train_end(self, logs=None):
        self.heard.append("train end")


class Numbers(unittest.TestCase):
    def test_the_host_and_an_ipu_agree(self):
        x, y = blobs()
        host = compiled()
        first = host.get_weights()
        history = host.fit(x, y, batch_size=16, epochs=3, verbose=0).history
        with ipu():
            model = compiled()
            self.assertTrue(all((a == b).all() for a, b in zip(first, model.get_weights())))
            on_ipu = model.fit(x, y, batch_size=16, epochs=3, verbose=0).history
        np.testing.assert_allclose(history["loss"], on_ipu["loss"], rtol=1e-5)
        self.assertEqual(history["accuracy"], on_ipu["accuracy"])
        self.assertLess(history["loss"][-1], history["loss"][0])

    def test_one_step_of_sgd(self):
        """w - rate * gradient, by hand: the mean squared error of one weight."""
        model = keras.Sequential([keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=(1,))])
        model.compile(keras.optimizers.SGD(0.1), "mse")
        history = model.fit(np.array([[1.0], [2.0]]), np.array([3.0, 0.0]), batch_size=2, verbose=0)
        # predictions 1 and 2; loss (4 + 4) / 2; gradient mean(2 (p - y) x) = (-4 + 8) / 2
        self.assertAlmostEqual(history.history["loss"][0], 4.0, places=6)
        self.assertAlmostEqual(float(model.get_weights()[0][0, 0]), 1 - 0.1 * 2.0, places=6)

    def test_a_shuffled_data_set_equals_arrays(self):
        """A full shuffle of slices is the engine's own shuffle: the same weights, bit for bit."""
        x, y = blobs()
        arrays = compiled()
        arrays.fit(x, y, batch_size=16, epochs=2, verbose=0)
        dataset = compiled()
        dataset.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(96).batch(16, drop_remainder=True).prefetch(2), epochs=2,
                    verbose=0)
        for a, b in zip(arrays.get_weights(), dataset.get_weights()):
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_steps_per_execution_change_no_weight(self):
        x, y = blobs()
        with ipu():
            one, many = compiled(), compiled(steps_per_execution=3)
            for model in (one, many):
                model.fit(x, y, batch_size=16, epochs=2, verbose=0)
            for a, b in zip(one.get_weights(), many.get_weights()):
                self.assertEqual(a.tobytes(), b.tobytes())

    def test_batch_callbacks_change_no_weight(self):
        x, y = blobs()
        plain, watched = compiled(), compiled()
        plain.fit(x, y, batch_size=16, epochs=2, verbose=0)
        watched.fit(x, y, batch_size=16, epochs=2, verbose=0, callbacks=[Recorder()])
        for a, b in zip(plain.get_weights(), watched.get_weights()):
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_a_second_fit_continues(self):
        """Two fits of one epoch are one fit of two, the optimizer's state included."""
        x, y = blobs()
        def trained(parts):
            model = model_of()
            model.compile(keras.optimizers.SGD(0.05, momentum=0.9), "sparse_categorical_crossentropy")
            for epochs in parts:
                model.fit(x, y, batch_size=16, epochs=epochs, verbose=0)
            self.assertEqual(int(model.optimizer.iterations), 12)
            return model.get_weights()
        for a, b in zip(trained([2]), trained([1, 1])):
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_labels_of_other_types(self):
        x, y = blobs()
        losses = set()
        for labels in (y, y.astype(np.int64), y.astype(np.float32), y.astype(np.uint8), y[:, None], y.tolist()):
            losses.add(compiled().fit(x, labels, batch_size=16, verbose=0).history["loss"][0])
        self.assertEqual(len(losses), 1)

    def test_penalties_are_a_part_of_the_loss(self):
        keras.backend.clear_session()
        model = keras.Sequential([keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=(2,),
                                                     kernel_regularizer=keras.regularizers.l2(0.5))])
        model.compile(keras.optimizers.SGD(0.0), "mse")
        history = model.fit(np.ones((4, 2)), 2 * np.ones(4), verbose=0).history
        self.assertEqual(history, {"loss": [1.0]})

    def test_mixed_precision(self):
        x, y = blobs()
        keras.mixed_precision.set_global_policy("mixed_float16")
        try:
            mixed = compiled()
            self.assertEqual((mixed.layers[0].dtype, mixed.inputs[0].dtype), ("mixed_float16", tf.float32))
            history = mixed.fit(x, y, batch_size=16, epochs=2, verbose=0).history
        finally:
            keras.mixed_precision.set_global_policy("float32")
        plain = compiled().fit(x, y, batch_size=16, epochs=2, verbose=0).history
        np.testing.assert_allclose(history["loss"], plain["loss"], rtol=2e-2)
        self.assertNotEqual(history["loss"], plain["loss"])

    def test_sample_weights(self):
        """Samples of weight 0 change nothing."""
        x, y = blobs()
        weight = np.zeros(96)
        model = compiled()
        before = model.get_weights()
        model.fit(x, y, batch_size=16, sample_weight=weight, verbose=0)
        for a, b in zip(before, model.get_weights()):
            self.assertEqual(a.tobytes(), b.tobytes())


class Evaluation(unittest.TestCase):
    def test_values(self):
        x, y = blobs(40)
        model = compiled()
        loss, accuracy = model.evaluate(x, y, verbose=0)
        predicted = model.predict(x)
        self.assertEqual(predicted.shape, (40, 3))
        self.assertAlmostEqual(accuracy, float(np.mean(predicted.argmax(1) == y)), places=6)
        self.assertAlmostEqual(loss, float(np.mean(-np.log(predicted[np.arange(40), y]))), places=5)
        self.assertEqual(model.evaluate(x, y, verbose=0, return_dict=True), {"loss": loss, "accuracy": accuracy})

    def test_one_value_is_a_number(self):
        model = model_of()
        model.compile("sgd", "sparse_categorical_crossentropy")
        self.assertIsInstance(model.evaluate(*blobs(40), verbose=0), float)

    def test_validation(self):
        x, y = blobs()
        history = compiled().fit(x[:64], y[:64], epochs=3, verbose=0, validation_data=(x[64:], y[64:]), validation_freq=2)
        self.assertEqual({name: len(values) for name, values in history.history.items()},
                         {"loss": 3, "accuracy": 3, "val_loss": 1, "val_accuracy": 1})
        split = compiled().fit(x, y, verbose=0, validation_split=1 / 3)
        self.assertEqual(split.params, {"verbose": 0, "epochs": 1, "steps": 2})

    def test_several_inputs_and_outputs(self):
        keras.backend.clear_session()
        a, b = keras.Input((4,), name="a"), keras.Input((2,), name="b")
        joined = keras.layers.Concatenate()([a, b])
        model = keras.Model([a, b], [keras.layers.Dense(1, name="p")(joined), keras.layers.Dense(2, name="q")(joined)])
        model.compile("sgd", {"p": "mse", "q": "mae"})
        data = {"a": np.ones((8, 4)), "b": np.zeros((8, 2))}, {"p": np.zeros(8), "q": np.ones((8, 2))}
        history = model.fit(*data, batch_size=4, verbose=0).history
        self.assertEqual(sorted(history), ["loss", "p_loss", "q_loss"])
        self.assertAlmostEqual(history["loss"][0], history["p_loss"][0] + history["q_loss"][0], places=5)
        self.assertEqual([output.shape for output in model.predict([np.ones((8, 4)), np.zeros((8, 2))])], [(8, 1), (8, 2)])


class SqueezedPredictions(unittest.TestCase):
    """Dense(1) on [batch, 7, 5] with class numbers: a problem of 7 classes, and an accuracy of all 7 values against each label."""

    def setUp(self):
        keras.backend.clear_session()
        self.model = keras.Sequential([keras.layers.Dense(1, input_shape=(7, 5))])
        self.model.compile("rmsprop", keras.losses.SparseCategoricalCrossentropy(), metrics=["accuracy"])
        generator = np.random.default_rng(4)
        self.x, self.y = generator.random((32, 7, 5)).astype(np.float32), generator.integers(0, 7, 32)

    def expected(self):
        shares = self.model(self.x)[..., 0]
        loss = keras.losses.SparseCategoricalCrossentropy()(self.y, shares)
        return [float(loss), float(np.mean(self.y[:, None] == (shares.numpy() > 0.5)))]

    def test_evaluate(self):
        np.testing.assert_allclose(self.model.evaluate(self.x, self.y, verbose=0), self.expected(), rtol=1e-5)
        np.testing.assert_allclose(self.model.evaluate(self.x, self.y[:, None], verbose=0), self.expected(), rtol=1e-5)

    def test_fit(self):
        dataset = tf.data.Dataset.from_tensor_slices((self.x, self.y)).shuffle(32).batch(32)
        before = self.expected()
        history = self.model.fit(dataset, epochs=3, verbose=0)
        self.assertEqual(list(history.history), ["loss", "accuracy"])
        self.assertAlmostEqual(history.history["loss"][0], before[0], places=4)
        self.assertLess(self.expected()[0], before[0])

    def test_predict_keeps_the_axis(self):
        self.assertEqual(self.model.predict(self.x).shape, (32, 7, 1))


class RepeatedPredictions(unittest.TestCase):
    def test_one_prediction_is_compared_with_every_label(self):
        keras.backend.clear_session()
        model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
        model.compile(keras.optimizers.SGD(0.1), "mse")
        generator = np.random.default_rng(5)
        x, y = generator.random((8, 4)).astype(np.float32), generator.random((8, 3)).astype(np.float32)
        expected = np.mean((model.predict(x) - y) ** 2)
        self.assertAlmostEqual(model.evaluate(x, y, verbose=0), float(expected), places=6)
        self.assertAlmostEqual(model.fit(x, y, verbose=0).history["loss"][0], float(expected), places=6)
        self.assertLess(model.evaluate(x, y, verbose=0), float(expected))


class Callbacks(unittest.TestCase):
    def test_order_and_batches(self):
        x, y = blobs(64)
        recorder = Recorder()
        with ipu():
            compiled(steps_per_execution=2).fit(x, y, batch_size=16, verbose=0, callbacks=[recorder])
        names = ["accuracy", "loss"]
        self.assertEqual(recorder.heard, ["train begin", "epoch 0", (1, names), (3, names), ("end 0", names), "train end"])

    def test_early_stopping_restores_the_best(self):
        x, y = blobs()
        model = compiled()
        seen = []

        class Worse(keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                seen.append(self.model.get_weights()[0])
                logs["watched"] = [3.0, 1.0, 2.0, 2.0, 2.0][epoch]

        stop = keras.callbacks.EarlyStopping("watched", patience=2, restore_best_weights=True)
        history = model.fit(x, y, epochs=5, verbose=0, callbacks=[Worse(), stop])
        self.assertEqual(history.epoch, [0, 1, 2, 3])
        self.assertTrue((model.get_weights()[0] == seen[1]).all())
        self.assertFalse((seen[1] == seen[3]).all())

    def test_rates_of_a_schedule(self):
        x, y = blobs()
        model = compiled()
        history = model.fit(x, y, epochs=3, verbose=0,
                            callbacks=[keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2 if epoch else rate)])
        np.testing.assert_allclose(history.history["lr"], [0.01, 0.005, 0.0025], rtol=1e-6)
        self.assertAlmostEqual(float(model.optimizer.learning_rate), 0.0025, places=7)

    def test_a_rate_stays_for_the_next_fit(self):
        x, y = blobs()
        model = compiled()
        model.fit(x, y, verbose=0)
        model.optimizer.learning_rate = 0.0
        before = model.get_weights()
        model.fit(x, y, verbose=0)
        self.assertTrue(all((a == b).all() for a, b in zip(before, model.get_weights())))
        self.assertEqual(float(model.optimizer.learning_rate), 0.0)

    def test_files(self):
        x, y = blobs()
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "log.csv")
            saved = os.path.join(folder, "w-{epoch}")
            model = compiled()
            model.fit(x, y, epochs=2, verbose=0, callbacks=[keras.callbacks.CSVLogger(table),
                                                            keras.callbacks.ModelCheckpoint(saved, save_weights_only=True)])
            with open(table) as file:
                rows = file.read().splitlines()
            self.assertEqual((rows[0], len(rows)), ("epoch,accuracy,loss", 3))
            last = model.get_weights()
            other = compiled()
            other.load_weights(os.path.join(folder, "w-2")).expect_partial()
            self.assertTrue(all((a == b).all() for a, b in zip(last, other.get_weights())))

    def test_stop_training_within_an_epoch(self):
        x, y = blobs()

        class Stop(keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                self.model.stop_training = batch == 1

        model = compiled()
        history = model.fit(x, y, batch_size=16, epochs=4, verbose=0, callbacks=[Stop()])
        self.assertEqual((history.epoch, int(model.optimizer.iterations)), ([0], 2))


class Errors(unittest.TestCase):
    def test_use_before_compile(self):
        with self.assertRaisesRegex(RuntimeError, "compile"):
            model_of().fit(*blobs())

    def test_arguments(self):
        x, y = blobs()
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
        cases = [(lambda m: m.fit(x, y[:10]), ValueError, "96"), (lambda m: m.fit(dataset, y), ValueError, "y"),
                 (lambda m: m.fit(dataset.repeat()), ValueError, "steps_per_epoch"),
                 (lambda m: m.fit(dataset.take(2), steps_per_epoch=5), ValueError, "5"),
                 (lambda m: m.fit(x, y, epoch=3), TypeError, "epoch"), (lambda m: m.compile(optimizer="sgdd"), ValueError, "sgdd"),
                 (lambda m: m.compile(loss="no_loss"), ValueError, "no_loss")]
        for use, error, text in cases:
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                use(compiled())

    def test_rules_of_an_ipu(self):
        x, y = blobs(100)
        with ipu():
            with self.assertRaisesRegex(ValueError, "100.*16.*96"):
                compiled().fit(x, y, batch_size=16, verbose=0)
            with self.assertRaisesRegex(ValueError, "drop_remainder"):
                compiled().fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(16), verbose=0)
            with self.assertRaisesRegex(ValueError, "5 steps.*3"):
                compiled(steps_per_execution=3).fit(x, y, batch_size=20, verbose=0)
            with self.assertRaises(RuntimeError):
                model_of().compile(run_eagerly=True)


if __name__ == "__main__":
    unittest.main()
