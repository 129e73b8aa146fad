"""Training loops of a script: tapes, optimizers, iterators, queues and loops.repeat on the device."""

import unittest

import numpy as np
from support import blobs, ipu

import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu as tf_ipu


def dense(x, kernel, bias):
    return x @ kernel + bias


def reference(x, y, kernel, bias, steps, rate):
    """Softmax regression with SGD in numpy; the losses of the steps."""
    losses = []
    for _ in range(steps):
        z = dense(x, kernel, bias)
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(y)), y]).mean())
        d = p.copy()
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        kernel, bias = kernel - rate * x.T @ d, bias - rate * d.sum(0)
    return losses, kernel


class OwnLoops(unittest.TestCase):
    def test_a_loop_on_the_device_trains_as_numpy(self):
        x, y = blobs(count=32)
        with ipu() as strategy:
            model = keras.Sequential([keras.layers.Dense(3, activation="softmax", input_shape=(6,))])
            optimizer = keras.optimizers.SGD(0.1)
            kernel, bias = model.get_weights()
            queue = tf_ipu.ipu_outfeed_queue.IPUOutfeedQueue()
            data = tf.data.Dataset.from_tensors((x, y)).repeat()

            @tf.function(jit_compile=True)
            def train(iterator, steps):
                for _ in tf.range(steps):
                    features, labels = next(iterator)
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, model(features, training=True)))
                    gradients = tape.gradient(loss, model.trainable_variables)
                    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
                    queue.enqueue(loss)

            iterator = iter(data)
            strategy.run(train, args=(iterator, 6))
            strategy.run(train, args=(iterator, 6))
            losses, wanted = reference(x.astype(np.float64), y, kernel, bias, 12, 0.1)
            np.testing.assert_allclose(queue.dequeue().numpy(), losses, rtol=1e-4)
            np.testing.assert_allclose(model.get_weights()[0], wanted, rtol=1e-3, atol=1e-5)
            self.assertEqual(int(optimizer.iterations), 12)
            self.assertEqual(queue.dequeue().shape[0], 0)
            with self.assertRaisesRegex(RuntimeError, "enable_dataset_iterators"):
                next(iter(data))

    def test_optimizers_agree_with_fit(self):
        x, y = blobs(count=16)
        for kind in (lambda: keras.optimizers.RMSprop(0.01), lambda: keras.optimizers.Adam(0.01),
                     lambda: keras.optimizers.SGD(0.05, momentum=0.9), lambda: keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True)):
            with ipu() as strategy:
                models = [keras.Sequential([keras.layers.Dense(3, input_shape=(6,))]) for _ in range(2)]
                models[1].set_weights(models[0].get_weights())
                models[0].compile(optimizer=kind(), loss="mse")
                targets = np.eye(3, dtype=np.float32)[y]
                models[0].fit(x, targets, batch_size=16, epochs=5, shuffle=False, verbose=0)
                optimizer = kind()

                @tf.function(jit_compile=True)
                def step(features, labels):
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(keras.losses.mean_squared_error(labels, models[1](features, training=True)))
                    optimizer.apply_gradients(zip(tape.gradient(loss, models[1].trainable_variables), models[1].trainable_variables))
                    return loss

                for _ in range(5):
                    strategy.run(step, args=(x, targets))
                with self.subTest(type(optimizer).__name__, config=optimizer._given):
                    np.testing.assert_allclose(models[1].get_weights()[0], models[0].get_weights()[0], rtol=2e-4, atol=2e-5)

    def test_loss_scaling_agrees_with_fit(self):
        """A scale that doubles, passes the edge and is halved again, as the engine's own training has it."""
        from tilewright.keras.loss_scaling import ALSOptimizer

        x, y = blobs(count=16)
        targets = np.eye(3, dtype=np.float32)[y]
        options = {"initial_loss_scaling_factor": 4, "update_frequency": 2, "histogram_bin_edge": 8, "ratio_threshold": 0.01}
        for steps in (1, 5, 12):
            with ipu() as strategy:
                models = [keras.Sequential([keras.layers.Dense(3, input_shape=(6,))]) for _ in range(2)]
                models[1].set_weights(models[0].get_weights())
                models[0].compile(optimizer=ALSOptimizer(keras.optimizers.SGD(0.01), **options), loss="mse")
                models[0].fit(x, targets, batch_size=16, epochs=steps, shuffle=False, verbose=0)
                state = models[0]._state.arrays()
                optimizer = ALSOptimizer(keras.optimizers.SGD(0.01), **options)

                @tf.function(jit_compile=True)
                def step(features, labels):
                    loss = tf.reduce_mean(keras.losses.mean_squared_error(labels, models[1](features, training=True)))
                    gradients = optimizer.get_gradients(loss, models[1].trainable_variables)
                    optimizer.apply_gradients(zip(gradients, models[1].trainable_variables))

                for _ in range(steps):
                    strategy.run(step, args=(x, targets))
                with self.subTest(steps):
                    np.testing.assert_allclose(models[1].get_weights()[0], models[0].get_weights()[0], rtol=1e-5, atol=1e-6)
                    self.assertEqual(float(optimizer.loss_scaling_factor), float(state["loss_scale"]))

    def test_gradients_that_are_no_numbers_update_nothing(self):
        from tilewright.keras.loss_scaling import ALSOptimizer

        with ipu() as strategy:
            weight, optimizer = tf.Variable([1.0, 2.0]), ALSOptimizer(keras.optimizers.SGD(0.5), initial_loss_scaling_factor=8)

            @tf.function(jit_compile=True)
            def step(factor):
                optimizer.apply_gradients([(optimizer.get_gradients(tf.reduce_sum(weight * factor), [weight])[0], weight)])

            for factor, wanted, scale in ((1.0, [0.5, 1.5], 8), (np.inf, [0.5, 1.5], 4), (1.0, [0.0, 1.0], 4)):
                strategy.run(step, args=(tf.constant(factor),))
                self.assertEqual((weight.numpy().tolist(), float(optimizer.loss_scaling_factor)), (wanted, scale))

    def test_repeat_with_an_infeed(self):
        with ipu() as strategy:
            infeed = tf_ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensor_slices(np.arange(8, dtype=np.float32)).repeat())
            outfeed = tf_ipu.ipu_outfeed_queue.IPUOutfeedQueue()

            def body(counter, value):
                outfeed.enqueue({"twice": value * 2.0})
                return counter + 1

            @tf.function(jit_compile=True)
            def program():
                return tf_ipu.loops.repeat(5, body, [0], infeed)

            infeed.initializer
            self.assertEqual(int(strategy.run(program)), 5)
            self.assertEqual(outfeed.dequeue()["twice"].numpy().tolist(), [0.0, 2.0, 4.0, 6.0, 8.0])
            strategy.run(program)  # the position in the data stays
            self.assertEqual([float(element["twice"]) for element in outfeed], [10.0, 12.0, 14.0, 0.0, 2.0])

    def test_gradients_of_values_and_what_has_none(self):
        @tf.function(jit_compile=True)
        def slopes(x, unused):
            with tf.GradientTape() as tape:
                tape.watch([x, unused])
                y = tf.reduce_sum(x * x * x)
            found = tape.gradient(y, [x, unused])
            assert found[1] is None
            return found[0]

        self.assertEqual(slopes(tf.constant([1.0, 2.0]), tf.constant([1.0])).numpy().tolist(), [3.0, 12.0])


if __name__ == "__main__":
    unittest.main()
