"""Losses, metrics, optimizers, layers and steps that a script writes itself: they are traced into the program of the device."""

import unittest

import numpy as np
from support import blobs, ipu

import tensorflow as tf
from tensorflow import keras


class Squares(keras.losses.Loss):
    """A loss of the script: the mean of squares."""

    def __init__(self, factor=1.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, y_true, y_pred):
        return self.factor * tf.reduce_mean(tf.square(y_pred - y_true), axis=-1)


class Hits(keras.metrics.Metric):
    """A metric of the script: the number of samples whose largest prediction is the label."""

    def __init__(self, name="hits", **kwargs):
        super().__init__(name=name, **kwargs)
        self.hits = self.add_weight(name="hits", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        if y_true.shape.rank == 2:
            y_true = tf.squeeze(y_true, -1)
        same = tf.equal(tf.cast(y_true, tf.int64), tf.argmax(y_pred, -1))
        self.hits.assign_add(tf.reduce_sum(tf.cast(same, tf.float32)))

    def result(self):
        return self.hits


class Momentum(keras.optimizers.Optimizer):
    """An optimizer of the script: Keras's SGD with momentum."""

    def __init__(self, learning_rate=0.01, momentum=0.9, name="Momentum", **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("momentum", momentum)

    def _create_slots(self, var_list):
        for var in var_list:
            self.add_slot(var, "speed")

    def _resource_apply_dense(self, grad, var, apply_state=None):
        speed = self.get_slot(var, "speed")
        speed.assign(self._get_hyper("momentum", var.dtype.base_dtype) * speed - self._decayed_lr(var.dtype.base_dtype) * grad)
        return var.assign_add(speed)


class Affine(keras.layers.Layer):
    """A layer of the script with weights of its own: a Dense."""

    def __init__(self, units, penalty=None, **kwargs):
        super().__init__(**kwargs)
        self.units, self.penalty = units, penalty

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(input_shape[-1], self.units), initializer="glorot_uniform", regularizer=self.penalty)
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel) + self.bias


def model_of(units=8, last="softmax"):
    keras.backend.clear_session()
    return keras.Sequential([keras.layers.Dense(units, activation="relu", input_shape=(6,)), keras.layers.Dense(3, activation=last)])


class OwnParts(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()
        self.x, self.y = blobs(count=64)
        self.one_hot = np.eye(3, dtype=np.float32)[self.y]

    def trained(self, model, y=None, metrics=None, optimizer="sgd", loss="mse", **kwargs):
        model.compile(optimizer, loss, metrics=metrics)
        history = model.fit(self.x, self.one_hot if y is None else y, batch_size=16, epochs=3, verbose=0, **kwargs).history
        return history, model.get_weights()

    def same(self, left, right):
        for name in left[0]:
            np.testing.assert_allclose(left[0][name], right[0][name], rtol=2e-6)
        for a, b in zip(left[1], right[1]):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=2e-7)

    def test_losses_train_as_kerass(self):
        wanted = self.trained(model_of())
        for loss in (Squares(), lambda y_true, y_pred: tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)):
            self.same(wanted, self.trained(model_of(), loss=loss))
        doubled = self.trained(model_of(), loss=Squares(2.0), optimizer=keras.optimizers.SGD(0.005))
        np.testing.assert_allclose(doubled[1][0], wanted[1][0], rtol=1e-5, atol=2e-7)

    def test_the_reduction_of_a_loss_counts(self):
        summed = self.trained(model_of(), loss=Squares(reduction=keras.losses.Reduction.SUM), optimizer=keras.optimizers.SGD(0.01 / 16))
        np.testing.assert_allclose(summed[1][0], self.trained(model_of())[1][0], rtol=1e-5, atol=2e-7)

    def test_metrics_count_an_epoch_and_begin_anew(self):
        model = model_of()
        history, _ = self.trained(model, y=self.y, metrics=[Hits(), "accuracy"], loss="sparse_categorical_crossentropy")
        np.testing.assert_allclose(history["hits"], 64 * np.array(history["accuracy"]))
        known = model_of()
        self.same((history, []), ({**self.trained(known, y=self.y, metrics=["accuracy"], loss="sparse_categorical_crossentropy")[0],
                                   "hits": history["hits"]}, []))
        values = model.evaluate(self.x, self.y, batch_size=16, verbose=0, return_dict=True)
        predicted = model.predict(self.x, batch_size=16).argmax(-1)
        self.assertEqual(values["hits"], (predicted == self.y).sum())
        self.assertEqual(list(values), ["loss", "hits", "accuracy"])
        self.assertEqual([metric.name for metric in model.metrics], ["loss", "hits", "accuracy"])

    def test_a_function_is_a_metric(self):
        def largest_error(y_true, y_pred):
            return tf.reduce_max(tf.abs(y_true - y_pred), axis=-1)
        model = model_of()
        model.compile("sgd", "mse", metrics=[largest_error])
        values = model.evaluate(self.x, self.one_hot, batch_size=16, verbose=0, return_dict=True)
        wanted = np.abs(model.predict(self.x, batch_size=16) - self.one_hot).max(-1).mean()
        self.assertAlmostEqual(values["largest_error"], wanted, places=5)

    def test_optimizers_train_as_kerass(self):
        self.same(self.trained(model_of(), optimizer=keras.optimizers.SGD(0.05, momentum=0.9)),
                  self.trained(model_of(), optimizer=Momentum(0.05)))

    def test_an_optimizer_may_change_what_keras_updates(self):
        class Halved(keras.optimizers.SGD):
            def _resource_apply_dense(self, grad, var, apply_state=None):
                return super()._resource_apply_dense(grad * 0.5, var, apply_state)
        self.same(self.trained(model_of(), optimizer=keras.optimizers.SGD(0.05)),
                  self.trained(model_of(), optimizer=Halved(learning_rate=0.1)))

    def test_the_learning_rate_of_an_own_optimizer_changes_between_epochs(self):
        schedule = keras.callbacks.LearningRateScheduler(lambda epoch, rate: 0.1 / (epoch + 1))
        self.same(self.trained(model_of(), optimizer=keras.optimizers.SGD(0.05, momentum=0.9), callbacks=[schedule]),
                  self.trained(model_of(), optimizer=Momentum(0.05), callbacks=[schedule]))

    def test_layers_with_weights_train_as_dense(self):
        known = model_of(last=None)
        weights = known.get_weights()
        wanted = self.trained(known)
        keras.backend.clear_session()
        inputs = keras.Input((6,))
        own = keras.Model(inputs, Affine(3)(keras.layers.Dense(8, activation="relu")(inputs)))
        self.assertEqual([weight.name for weight in own.weights], ["dense/kernel:0", "dense/bias:0", "affine/kernel:0", "affine/bias:0"])
        own.set_weights(weights)
        before = own.predict(self.x, batch_size=16)
        np.testing.assert_allclose(before, np.maximum(self.x @ weights[0] + weights[1], 0) @ weights[2] + weights[3], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(own(self.x[:5]).numpy(), before[:5], rtol=1e-5, atol=1e-6)
        self.same(wanted, self.trained(own))

    def test_penalties_are_part_of_the_loss(self):
        known = keras.Sequential([keras.layers.Dense(3, kernel_regularizer="l2", input_shape=(6,))])
        weights = known.get_weights()
        wanted = self.trained(known)
        keras.backend.clear_session()
        for own in (keras.Sequential([Affine(3, "l2", input_shape=(6,))]),
                    keras.Sequential([keras.layers.Dense(3, kernel_regularizer=keras.regularizers.l2(0.01), input_shape=(6,))])):
            own.set_weights(weights)
            self.same(wanted, self.trained(own, loss=Squares()))

    def test_a_layer_adds_losses_and_metrics(self):
        class Noted(keras.layers.Layer):
            def call(self, inputs):
                self.add_loss(0.5 * tf.reduce_mean(tf.square(inputs)))
                self.add_metric(tf.reduce_mean(inputs), name="level")
                return inputs
        inputs = keras.Input((6,))
        hidden = keras.layers.Dense(3)(inputs)
        model = keras.Model(inputs, Noted()(hidden))
        model.compile("sgd", "mse")
        values = model.evaluate(self.x, self.one_hot, batch_size=16, verbose=0, return_dict=True)
        output = model.predict(self.x, batch_size=16)
        self.assertAlmostEqual(values["loss"], np.square(output - self.one_hot).mean() + 0.5 * np.square(output).mean(), places=4)
        self.assertAlmostEqual(values["level"], output.mean(), places=5)

    def test_operations_with_constants_are_layers(self):
        inputs = keras.Input((6, 4))
        cases = {"times": lambda t: t * 2.0 + 1.0, "step": lambda t: t[:, ::1][:, 1:3], "sum": lambda t: tf.reduce_sum(t, 1),
                 "product": lambda t: tf.matmul(t, t, transpose_b=True)}
        array = np.random.default_rng(2).normal(size=(5, 6, 4)).astype(np.float32)
        for name, function in cases.items():
            with self.subTest(name):
                output = function(inputs)
                wanted = function(tf.constant(array)).numpy()
                self.assertEqual(tuple(output.shape), (None, *wanted.shape[1:]))
                np.testing.assert_allclose(keras.Model(inputs, output).predict(array), wanted, rtol=1e-5, atol=1e-5)


class OwnSteps(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()
        self.x, self.y = blobs(count=64)

    def test_a_train_step_with_trackers(self):
        class Stepped(keras.Model):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.tracker = keras.metrics.Mean(name="loss")
                self.error = keras.metrics.MeanAbsoluteError(name="mae")

            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    predicted = self(x, training=True)
                    loss = tf.reduce_mean(keras.losses.mean_squared_error(y, predicted))
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                self.tracker.update_state(loss)
                self.error.update_state(y, predicted)
                return {"loss": self.tracker.result(), "mae": self.error.result()}

            @property
            def metrics(self):
                return [self.tracker, self.error]

        targets = np.eye(3, dtype=np.float32)[self.y]
        inputs = keras.Input((6,))
        own = Stepped(inputs, keras.layers.Dense(3)(inputs))
        weights = own.get_weights()
        own.compile(optimizer="adam")
        history = own.fit(self.x, targets, batch_size=16, epochs=2, verbose=0).history
        known = keras.Sequential([keras.layers.Dense(3, input_shape=(6,))])
        known.set_weights(weights)
        known.compile("adam", "mse", metrics=["mae"])
        wanted = known.fit(self.x, targets, batch_size=16, epochs=2, verbose=0).history
        for name in ("loss", "mae"):
            np.testing.assert_allclose(history[name], wanted[name], rtol=1e-5)
        np.testing.assert_allclose(own.get_weights()[0], known.get_weights()[0], rtol=1e-5, atol=1e-6)

    def test_two_models_with_an_optimizer_each(self):
        class Pair(keras.Model):
            def __init__(self, first, second):
                super().__init__()
                self.first, self.second = first, second

            def compile(self, first_optimizer, second_optimizer):
                super().compile()
                self.first_optimizer, self.second_optimizer = first_optimizer, second_optimizer

            def train_step(self, data):
                if isinstance(data, tuple):
                    data = data[0]
                with tf.GradientTape() as tape:
                    error = tf.reduce_mean(tf.square(self.first(data) - 1.0))
                self.first_optimizer.apply_gradients(zip(tape.gradient(error, self.first.trainable_weights), self.first.trainable_weights))
                with tf.GradientTape() as tape:
                    other = tf.reduce_mean(tf.square(self.second(self.first(data))))
                self.second_optimizer.apply_gradients(zip(tape.gradient(other, self.second.trainable_weights),
                                                          self.second.trainable_weights))
                return {"error": error, "other": other}

        pair = Pair(*(keras.Sequential([keras.layers.Dense(units, input_shape=(size,))]) for units, size in ((4, 6), (2, 4))))
        pair.compile(keras.optimizers.SGD(0.02), keras.optimizers.Adam(0.02))
        self.assertEqual(len(pair.weights), 4)
        history = pair.fit(tf.data.Dataset.from_tensor_slices(self.x).batch(16, drop_remainder=True), epochs=4, verbose=0).history
        for name in ("error", "other"):
            self.assertLess(history[name][-1], history[name][0])

    def test_a_subclass_in_which_python_decides_by_training(self):
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = keras.layers.Dense(3)

            def call(self, inputs, training=None):
                outputs = self.dense(inputs)
                if training:
                    outputs = outputs * 2.0
                return outputs

        net = Net()
        net.compile("sgd", "mse")
        targets = np.eye(3, dtype=np.float32)[self.y]
        net.build((None, 6))
        kernel, bias = net.get_weights()
        losses = net.fit(self.x, targets, batch_size=64, epochs=1, verbose=0).history["loss"]
        self.assertAlmostEqual(losses[0], np.square(2 * (self.x @ kernel + bias) - targets).mean(), places=3)
        kernel, bias = net.get_weights()
        np.testing.assert_allclose(net.predict(self.x), self.x @ kernel + bias, rtol=1e-4, atol=1e-5)

    def test_it_runs_on_an_ipu_with_executions(self):
        from tilewright.missing import NotThereYet

        with ipu():
            model = model_of()
            model.compile("sgd", Squares(), steps_per_execution=2)
            calls = []
            model.fit(self.x, np.eye(3, dtype=np.float32)[self.y], batch_size=16, epochs=1, verbose=0, callbacks=[
                keras.callbacks.LambdaCallback(on_batch_end=lambda batch, logs: calls.append((batch, sorted(logs))))])
            self.assertEqual(calls, [(1, ["loss"]), (3, ["loss"])])
            model.set_gradient_accumulation_options(2)
            with self.assertRaisesRegex(NotThereYet, "accumulation.*Squares"):
                model.fit(self.x, np.eye(3, dtype=np.float32)[self.y], batch_size=16, verbose=0)

    def test_a_last_batch_with_fewer_samples_counts_less(self):
        x, targets = self.x[:40], np.eye(3, dtype=np.float32)[self.y[:40]]
        model = model_of()
        model.compile("sgd", Squares())
        values = model.evaluate(x, targets, batch_size=16, verbose=0)
        self.assertAlmostEqual(values, np.square(model.predict(x, batch_size=16) - targets).mean(), places=5)

    def test_what_is_missing_is_named(self):
        from tilewright.missing import NotThereYet

        class Odd(keras.optimizers.Optimizer):
            pass

        model = model_of()
        targets = np.eye(3, dtype=np.float32)[self.y]
        for message, optimizer in (("Odd.*_resource_apply_dense", Odd("odd")), ("Adadelta", keras.optimizers.Adadelta())):
            model.compile(optimizer, Squares())
            with self.assertRaisesRegex(NotThereYet, message):
                model.fit(self.x, targets, verbose=0)


if __name__ == "__main__":
    unittest.main()
