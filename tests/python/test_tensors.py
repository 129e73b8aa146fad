"""Eager tensors: types, texts, operators, indices and errors."""

import unittest

import support  # noqa: F401
import numpy as np
import tensorflow as tf


class Making(unittest.TestCase):
    def test_default_types(self):
        cases = [(1, tf.int32), (1.5, tf.float32), (True, tf.bool), (2**40, tf.int64), ("a", tf.string), ([1, 2.0], tf.float32),
                 (np.float64(1), tf.float64), (np.zeros(2), tf.float64), (np.uint8(3), tf.uint8), ([np.float64(1)], tf.float64)]
        for value, dtype in cases:
            with self.subTest(value=value):
                self.assertEqual(tf.constant(value).dtype, dtype)

    def test_shape_of_constant(self):
        self.assertEqual(tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist(), [[1, 2], [3, 4]])
        self.assertEqual(tf.constant(7, shape=[2, 3]).numpy().tolist(), [[7, 7, 7], [7, 7, 7]])
        with self.assertRaises(TypeError):
            tf.constant([1, 2, 3], shape=[2, 2])

    def test_values_that_do_not_fit_are_refused(self):
        for value, dtype in [(1.5, tf.int32), (300, tf.uint8), (-1, tf.uint8), ("a", tf.float32), (1, tf.bool)]:
            with self.subTest(value=value, dtype=dtype), self.assertRaises(TypeError):
                tf.constant(value, dtype)

    def test_a_tensor_of_another_type_is_refused(self):
        with self.assertRaises(ValueError):
            tf.convert_to_tensor(tf.constant(1.0), tf.int32)

    def test_range(self):
        self.assertEqual(tf.range(3).dtype, tf.int32)
        self.assertEqual(tf.range(1, 2, 0.25).numpy().tolist(), [1.0, 1.25, 1.5, 1.75])

    def test_uniform_needs_maxval_for_integers(self):
        with self.assertRaises(ValueError):
            tf.random.uniform([2], dtype=tf.int32)

    def test_seed_repeats_numbers(self):
        tf.random.set_seed(7)
        first = tf.random.normal([4]).numpy()
        other = tf.random.normal([4]).numpy()
        tf.random.set_seed(7)
        self.assertTrue((tf.random.normal([4]).numpy() == first).all())
        self.assertFalse((first == other).all())


class Texts(unittest.TestCase):
    def test_str(self):
        matrix = tf.matmul(tf.constant([[1.0, 2, 3], [4, 5, 6]]), tf.constant([[1.0, 2], [3, 4], [5, 6]]))
        self.assertEqual(str(matrix), "tf.Tensor(\n[[22. 28.]\n [49. 64.]], shape=(2, 2), dtype=float32)")
        self.assertEqual(str(tf.constant(10)), "tf.Tensor(10, shape=(), dtype=int32)")

    def test_repr(self):
        self.assertEqual(repr(tf.constant(10)), "<tf.Tensor: shape=(), dtype=int32, numpy=10>")
        self.assertEqual(repr(tf.constant([1.0, 2.0])), "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>")
        self.assertIn("numpy=\narray([[1],", repr(tf.constant([[1], [2]])))

    def test_format_of_a_scalar_is_numpys(self):
        self.assertEqual(f"{tf.constant(0.1)}", "0.10000000149011612")
        self.assertEqual(f"{tf.constant(0.1):.2f}", "0.10")

    def test_shapes_and_types(self):
        shape = tf.TensorShape([2, None])
        self.assertEqual((str(shape), repr(shape)), ("(2, None)", "TensorShape([2, None])"))
        self.assertEqual(shape, [2, None])
        self.assertEqual((str(tf.float32), repr(tf.float32)), ("<dtype: 'float32'>", "tf.float32"))
        self.assertTrue(tf.float32 == "float32" and tf.float32 == np.float32)

    def test_variable(self):
        variable = tf.Variable([1.0, 2.0], name="w")
        self.assertEqual(repr(variable), "<tf.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>")
        self.assertIs(variable.assign_add([1.0, 1.0]), variable)
        self.assertEqual((variable * 2).numpy().tolist(), [4.0, 6.0])
        with self.assertRaises(ValueError):
            variable.assign([1.0])


class Operators(unittest.TestCase):
    def test_numbers_and_arrays_take_the_tensors_type(self):
        x = tf.constant([1.0, 2.0])
        for result in (2 - x, np.array([1.0, 2.0]) * x, x + np.float64(3), sum([x, x])):
            self.assertIsInstance(result, tf.Tensor)
            self.assertEqual(result.dtype, tf.float32)
        with self.assertRaises(TypeError):
            tf.constant(1) + 1.5

    def test_types_are_not_mixed(self):
        with self.assertRaises(tf.errors.InvalidArgumentError):
            tf.constant(1) + tf.constant(1.0)

    def test_division(self):
        self.assertEqual((tf.constant(1) / 2).dtype, tf.float64)
        self.assertEqual((tf.constant(1, tf.uint8) / tf.constant(2, tf.uint8)).dtype, tf.float32)
        self.assertEqual((tf.constant(-7) // 2).numpy(), -4)
        self.assertEqual((tf.constant(-7) % 3).numpy(), 2)
        self.assertEqual(tf.cast(-2.7, tf.int32).numpy(), -2)

    def test_comparison(self):
        x = tf.constant([1, 2])
        self.assertEqual((x == [1, 3]).numpy().tolist(), [True, False])
        self.assertIs(x == None, False)  # noqa: E711
        self.assertIs(tf.zeros([2]) == tf.zeros([3]), False)
        self.assertIs(tf.zeros([2]) != tf.zeros([3]), True)
        with self.assertRaises(TypeError):
            hash(x)

    def test_python_values(self):
        self.assertEqual((int(tf.constant(3)), float(tf.constant(2.5)), bool(tf.constant(True))), (3, 2.5, True))
        self.assertEqual(list(range(5))[tf.constant(2)], 2)
        with self.assertRaises(ValueError):
            bool(tf.constant([1, 2]))
        with self.assertRaises(TypeError):
            len(tf.constant(1))

    def test_indices(self):
        x = tf.reshape(tf.range(12), [3, 4])
        self.assertEqual(x[1, 2].numpy(), 6)
        self.assertEqual(x[-1, ::2].numpy().tolist(), [8, 10])
        self.assertEqual(x[..., tf.newaxis].shape, (3, 4, 1))
        self.assertEqual(x[x > 9].numpy().tolist(), [10, 11])
        with self.assertRaises(TypeError):
            x[[0, 1]]
        with self.assertRaises(TypeError):
            x[0] = 1
        with self.assertRaises(tf.errors.InvalidArgumentError):
            x[7]

    def test_integer_mean_stays_integer(self):
        self.assertEqual(tf.reduce_mean(tf.constant([1, 2, 4])).numpy(), 2)

    def test_argmax_is_int64(self):
        self.assertEqual(tf.argmax([[1, 3, 2]], axis=1).dtype, tf.int64)
        self.assertEqual(tf.argmax([[1, 3, 2]], axis=1, output_type=tf.int32).dtype, tf.int32)

    def test_shape_errors_name_the_operation_and_the_shapes(self):
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "MatMul.*2.*3"):
            tf.matmul(tf.zeros([2, 2]), tf.zeros([3, 3]))
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, r"Add.*\[2\].*\[3\]"):
            tf.zeros([2]) + tf.zeros([3])

    def test_layout(self):
        x = tf.constant([[1, 2], [3, 4]])
        self.assertEqual(tf.concat([x, x], 0).shape, [4, 2])
        self.assertEqual([part.numpy().tolist() for part in tf.unstack(x, axis=1)], [[1, 3], [2, 4]])
        self.assertEqual([part.shape.as_list() for part in tf.split(tf.zeros([5, 2]), [2, -1])], [[2, 2], [3, 2]])
        self.assertEqual(tf.one_hot([0, 2], 3).numpy().tolist(), [[1, 0, 0], [0, 0, 1]])
        self.assertEqual(tf.pad(x, [[0, 1], [1, 0]]).numpy().tolist(), [[0, 1, 2], [0, 3, 4], [0, 0, 0]])
        self.assertEqual(tf.argsort([3, 1, 2], direction="DESCENDING").numpy().tolist(), [0, 2, 1])
        self.assertEqual(tf.where(x > 2, x, 0).numpy().tolist(), [[0, 0], [3, 4]])


class Table(unittest.TestCase):
    """Each row's rule gives the shape and type that its kernel gives."""

    CASES = {"Add": ([2, 1], [3]), "Less": ([2], [2]), "MatMul": ([4, 2, 3], [3, 5]), "TrueDiv": ([2], [2]), "Softmax": ([2, 3],),
             "Relu": ([2],), "Maximum": ([2], [1])}

    def test_rules_agree_with_kernels(self):
        from tilewright.tf.optable import TABLE
        from tilewright.tf.specs import TensorSpec

        for name, shapes in self.CASES.items():
            with self.subTest(name):
                arrays = [np.ones(shape, np.float32) for shape in shapes]
                spec = TABLE[name].infer([TensorSpec(shape, tf.float32) for shape in shapes])
                result = TABLE[name].kernel(*arrays)
                self.assertEqual((spec.shape, spec.dtype), (result.shape, tf.as_dtype(result.dtype)))

    def test_reductions_and_layout(self):
        from tilewright.tf.optable import TABLE
        from tilewright.tf.specs import TensorSpec

        cases = [("Sum", {"axis": (0, 2), "keepdims": True}), ("Mean", {"axis": 1}), ("Reshape", {"shape": [4, -1]}),
                 ("Transpose", {"perm": [2, 0, 1]}), ("ExpandDims", {"axis": -1}), ("Tile", {"multiples": (1, 2, 1)}),
                 ("Slice", {"key": (slice(None, None, -1), None, 1)}), ("Pad", {"paddings": [(1, 2), (0, 0), (0, 1)]})]
        value = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        for name, attributes in cases:
            with self.subTest(name):
                spec = TABLE[name].infer([TensorSpec(value.shape, tf.float32)], **attributes)
                self.assertEqual(spec.shape, TABLE[name].kernel(value, **attributes).shape)


if __name__ == "__main__":
    unittest.main()
