"""tf.function: signatures, arguments and results, strategy.run, eager operations on the IPU."""

import unittest

import numpy as np
from support import ipu

import tensorflow as tf


class Functions(unittest.TestCase):
    def test_a_product_on_the_tiles(self):
        with ipu() as strategy:
            traced = []

            @tf.function(jit_compile=True)
            def product(a, b):
                traced.append(1)
                return tf.matmul(a, b)

            a = tf.constant([1.0, 2, 3, 4, 5, 6], shape=[2, 3])
            b = tf.constant([1.0, 2, 3, 4, 5, 6], shape=[3, 2])
            result = strategy.run(product, args=(a, b))
            self.assertEqual(str(result), "tf.Tensor(\n[[22. 28.]\n [49. 64.]], shape=(2, 2), dtype=float32)")
            strategy.run(product, args=(a + 1, b))
            self.assertEqual(len(traced), 1)  # by shape and type, not by value

    def test_python_values_are_part_of_the_signature(self):
        traced = []

        @tf.function(jit_compile=True)
        def scaled(x, factor=2.0):
            traced.append(factor)
            return x * factor

        x = tf.constant([1.0, 2.0])
        self.assertEqual(scaled(x).numpy().tolist(), [2.0, 4.0])
        self.assertEqual(scaled(x, factor=2.0).numpy().tolist(), [2.0, 4.0])
        self.assertEqual(scaled(x, 3.0).numpy().tolist(), [3.0, 6.0])
        scaled(tf.constant([[1.0]]))
        self.assertEqual(traced, [2.0, 3.0, 2.0])

    def test_results_keep_their_structure(self):
        @tf.function(jit_compile=True)
        def parts(x):
            return {"twice": x * 2.0, "both": (x + 1.0, [x - 1.0])}

        found = parts(tf.constant([1.0, 2.0]))
        self.assertEqual(found["twice"].numpy().tolist(), [2.0, 4.0])
        self.assertEqual(found["both"][1][0].numpy().tolist(), [0.0, 1.0])

    def test_variables_are_read_and_written_at_run_time(self):
        count = tf.Variable(1.0, name="count")

        @tf.function(jit_compile=True)
        def add(x):
            count.assign_add(x)
            return count.value() * 10.0

        self.assertEqual(float(add(tf.constant(2.0))), 30.0)
        self.assertEqual(float(count), 3.0)
        count.assign(5.0)
        self.assertEqual(float(add(tf.constant(1.0))), 60.0)

    def test_a_method_has_programs_of_its_instance(self):
        class Shift:
            def __init__(self, by):
                self.by = by

            @tf.function(jit_compile=True)
            def move(self, x):
                return x + self.by

        one, two = Shift(1.0), Shift(2.0)
        x = tf.constant([0.0])
        self.assertEqual([float(one.move(x)[0]), float(two.move(x)[0]), float(one.move(x)[0])], [1.0, 2.0, 1.0])

    def test_an_input_signature_fixes_shape_and_type(self):
        @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([2], tf.float32)])
        def twice(x):
            return x * 2.0

        self.assertEqual(twice(np.array([1, 2])).numpy().tolist(), [2.0, 4.0])
        with self.assertRaisesRegex(ValueError, "input_signature"):
            twice(tf.constant([1.0, 2.0, 3.0]))

    def test_what_the_ipu_cannot_take_is_named(self):
        with ipu() as strategy:
            @tf.function(jit_compile=True)
            def same(x):
                return x

            with self.assertRaisesRegex(TypeError, "float64"):
                strategy.run(same, args=(np.ones(3),))
            with self.assertRaisesRegex(ValueError, "tf.function"):
                strategy.run(lambda x: x, args=(1.0,))

        @tf.function(jit_compile=True)
        def sine(x):
            return tf.sin(x)

        with self.assertRaisesRegex(NotImplementedError, "Sin"):
            sine(tf.constant([1.0]))

    def test_a_tensor_of_another_trace_is_refused(self):
        kept = []

        @tf.function(jit_compile=True)
        def keep(x):
            kept.append(x * 2.0)
            return x

        @tf.function(jit_compile=True)
        def use(x):
            return x + kept[0]

        keep(tf.constant(1.0))
        with self.assertRaisesRegex(Exception, "keep"):
            use(tf.constant(1.0))

    def test_eager_operations_on_the_device(self):
        with tf.device("/device:IPU:0"):
            a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
            self.assertEqual(tf.matmul(a, a).numpy().tolist(), [[7.0, 10.0], [15.0, 22.0]])

    def test_operations_compute_what_the_host_computes(self):
        generator = np.random.default_rng(5)
        x = tf.constant(generator.uniform(0.5, 2, (3, 4)).astype(np.float32))
        y = tf.constant(generator.uniform(0.5, 2, (3, 4)).astype(np.float32))
        n = tf.constant(generator.integers(0, 4, (5,)).astype(np.int32))
        cases = {
            "elementwise": lambda: [x + y, x - y, x * y, x / y, -x, tf.abs(x - y), tf.sqrt(x), tf.exp(x), tf.math.log(x), tf.square(x),
                                    tf.maximum(x, y), tf.minimum(x, y), tf.sigmoid(x), tf.tanh(x), tf.nn.relu(x - y), x ** 2.0],
            "comparisons": lambda: [tf.cast(x < y, tf.float32), tf.cast(x >= y, tf.int32), tf.where(x > y, x, y),
                                    tf.cast(tf.logical_and(x < y, x > 1.0), tf.float32), tf.cast(tf.logical_not(x < y), tf.float32)],
            "reductions": lambda: [tf.reduce_sum(x), tf.reduce_mean(x, 0), tf.reduce_max(x, 1, keepdims=True), tf.reduce_min(x),
                                   tf.cast(tf.argmax(x, 1), tf.int32), tf.reduce_sum(n)],
            "shapes": lambda: [tf.reshape(x, [4, 3]), tf.transpose(x), tf.concat([x, y], 1), tf.stack([x, y]), x[1], x[:, 1:3], x[-1, 2],
                               tf.expand_dims(x, 0), tf.tile(x, [2, 1]), tf.pad(x, [[1, 0], [0, 2]]), *tf.split(x, 2, 1),
                               *tf.unstack(x), tf.gather(x, tf.constant([2, 0])), tf.one_hot(n, 4), tf.broadcast_to(x[0], [3, 4])],
            "products": lambda: [tf.matmul(x, y, transpose_b=True), tf.nn.softmax(x), tf.nn.log_softmax(x), tf.nn.softmax(x, axis=0)],
            "casts": lambda: [tf.cast(x * 3.0, tf.int32), tf.cast(-x * 3.0, tf.int32), tf.cast(n, tf.float32), tf.cast(n > 1, tf.int32)],
        }
        for name, case in cases.items():
            wanted = case()
            found = tf.function(lambda: case(), jit_compile=True)()
            for i, (host, device) in enumerate(zip(wanted, found)):
                with self.subTest(name, i=i):
                    self.assertEqual(host.dtype, device.dtype)
                    np.testing.assert_allclose(device.numpy(), host.numpy(), rtol=2e-6, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
