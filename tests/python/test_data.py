"""tf.data: structure, order, lengths and texts."""

import unittest

import support  # noqa: F401
import numpy as np
import tensorflow as tf

Dataset = tf.data.Dataset


def values(dataset):
    return [element.tolist() if isinstance(element, np.ndarray) else element for element in dataset.as_numpy_iterator()]


class Elements(unittest.TestCase):
    def test_slices_and_structure(self):
        dataset = Dataset.from_tensor_slices(({"a": [1, 2]}, np.zeros((2, 3))))
        self.assertEqual(dataset.element_spec, ({"a": tf.TensorSpec((), tf.int32)}, tf.TensorSpec((3,), tf.float64)))
        first = next(iter(dataset))
        self.assertEqual((first[0]["a"].numpy(), first[1].shape), (1, [3]))
        with self.assertRaises(ValueError):
            Dataset.from_tensor_slices((np.zeros(2), np.zeros(3)))

    def test_a_list_is_one_tensor_but_a_list_from_map_is_a_tuple(self):
        self.assertEqual(Dataset.from_tensors([1, 2]).element_spec.shape, [2])
        spec = Dataset.from_tensors([1, 2]).map(lambda x: [x, x]).element_spec
        self.assertIsInstance(spec, tuple)
        self.assertEqual(len(spec), 2)

    def test_batch_fixes_the_size_only_when_it_drops(self):
        dataset = Dataset.range(10)
        self.assertEqual(dataset.batch(5).element_spec.shape, [None])
        self.assertEqual(dataset.batch(5, drop_remainder=True).element_spec.shape, [5])
        self.assertEqual([len(batch) for batch in values(dataset.batch(4))], [4, 4, 2])
        self.assertEqual([len(batch) for batch in values(dataset.batch(4, drop_remainder=True))], [4, 4])
        self.assertEqual(dataset.batch(2, True).batch(2, True).element_spec.shape, [2, 2])

    def test_a_mapped_spec_follows_unknown_extents(self):
        dataset = Dataset.from_tensor_slices(np.zeros((5, 3))).batch(2).map(lambda x: (tf.cast(x, tf.float32), tf.shape(x)))
        self.assertEqual(dataset.element_spec, (tf.TensorSpec((None, 3), tf.float32), tf.TensorSpec((2,), tf.int32)))

    def test_generator(self):
        def numbers():
            for i in range(3):
                yield i, [i, i]
        dataset = Dataset.from_generator(numbers, (tf.int32, tf.float32), ((), (2,)))
        self.assertEqual([(a.numpy(), b.numpy().tolist()) for a, b in dataset], [(0, [0, 0]), (1, [1, 1]), (2, [2, 2])])
        self.assertEqual(dataset.cardinality().numpy(), tf.data.UNKNOWN_CARDINALITY)
        with self.assertRaisesRegex(ValueError, "shape"):
            list(Dataset.from_generator(numbers, (tf.int32, tf.float32), ((), (3,))))

    def test_end_of_an_iterator(self):
        iterator = iter(Dataset.range(1))
        next(iterator)
        with self.assertRaises(StopIteration):
            next(iterator)
        with self.assertRaises(tf.errors.OutOfRangeError):
            iterator.get_next()


class Order(unittest.TestCase):
    def test_transformations(self):
        cases = [
            (Dataset.range(5).repeat(2).take(7), [0, 1, 2, 3, 4, 0, 1]),
            (Dataset.range(5).skip(3), [3, 4]),
            (Dataset.range(7).shard(3, 1), [1, 4]),
            (Dataset.range(6).filter(lambda x: x % 2 == 0), [0, 2, 4]),
            (Dataset.range(2).concatenate(Dataset.range(3)), [0, 1, 0, 1, 2]),
            (Dataset.range(2).flat_map(lambda i: Dataset.range(i, i + 2)), [0, 1, 1, 2]),
            (Dataset.range(1, 6).interleave(lambda i: Dataset.from_tensors(i).repeat(6), cycle_length=2, block_length=4),
             [1] * 4 + [2] * 4 + [1] * 2 + [2] * 2 + [3] * 4 + [4] * 4 + [3] * 2 + [4] * 2 + [5] * 6),
            (Dataset.range(5).take(tf.constant(2, tf.int64)), [0, 1]),
            (Dataset.range(3).take(-1), [0, 1, 2]),
            (Dataset.range(4).batch(2).unbatch(), [0, 1, 2, 3]),
            (Dataset.range(3).cache().prefetch(2), [0, 1, 2]),
        ]
        for dataset, expected in cases:
            with self.subTest(dataset=repr(dataset)):
                self.assertEqual(values(dataset), expected)
                self.assertEqual(values(dataset), expected)

    def test_rows_and_elements_are_chosen_alike(self):
        """Slices of arrays take another way through take, skip and shard than other elements."""
        rows, single = Dataset.from_tensor_slices(np.arange(11)), Dataset.range(11)
        for change in (lambda d: d.skip(3).take(5), lambda d: d.shard(3, 2).repeat(2), lambda d: d.repeat(2).shard(4, 1).skip(1),
                       lambda d: d.repeat().take(25).batch(4)):
            self.assertEqual(values(change(rows)), values(change(single)))

    def test_a_full_shuffle_is_a_new_order_each_time(self):
        dataset = Dataset.from_tensor_slices(np.arange(50)).shuffle(50)
        first, second = values(dataset), values(dataset)
        self.assertEqual(sorted(first), list(range(50)))
        self.assertNotEqual(first, second)
        frozen = Dataset.from_tensor_slices(np.arange(50)).shuffle(50, reshuffle_each_iteration=False)
        self.assertEqual(values(frozen), values(frozen))

    def test_a_full_shuffle_is_the_engines(self):
        import _tilewright

        dataset = Dataset.from_tensor_slices(np.arange(50)).shuffle(64, seed=5)
        for epoch in range(3):
            self.assertEqual(values(dataset), _tilewright.epoch_order(50, 5, epoch).tolist())

    def test_a_small_buffer_bounds_how_far_elements_move_forward(self):
        order = values(Dataset.range(100).shuffle(4, seed=1))
        self.assertEqual(sorted(order), list(range(100)))
        self.assertTrue(all(element <= place + 3 for place, element in enumerate(order)))
        self.assertNotEqual(order, list(range(100)))

    def test_cache_after_shuffle_freezes_the_order(self):
        dataset = Dataset.range(30).shuffle(30).cache()
        self.assertEqual(values(dataset), values(dataset))


class Lengths(unittest.TestCase):
    def test_cardinality(self):
        cases = [(Dataset.range(10).batch(4), 3), (Dataset.range(10).batch(4, True), 2), (Dataset.range(4).repeat(), -1),
                 (Dataset.range(4).repeat(3), 12), (Dataset.range(4).take(9), 4), (Dataset.range(4).filter(lambda x: True), -2),
                 (Dataset.zip((Dataset.range(3), Dataset.range(4).repeat())), 3), (Dataset.range(7).shard(3, 0), 3)]
        for dataset, expected in cases:
            with self.subTest(dataset=repr(dataset)):
                self.assertEqual(dataset.cardinality().numpy(), expected)
        self.assertEqual(dataset.cardinality().dtype, tf.int64)

    def test_length(self):
        self.assertEqual(len(Dataset.range(10).batch(4)), 3)
        for dataset in (Dataset.range(1).repeat(), Dataset.range(3).filter(lambda x: True)):
            with self.assertRaises(TypeError):
                len(dataset)

    def test_arithmetic_on_a_cardinality(self):
        cardinality = Dataset.range(1875).cardinality()
        self.assertEqual((cardinality // 10 * 10).numpy(), 1870)

    def test_texts(self):
        dataset = Dataset.from_tensor_slices((np.zeros((64, 28, 28)), np.zeros(64, np.uint8))).batch(32, drop_remainder=True)
        self.assertEqual(repr(dataset), "<BatchDataset shapes: ((32, 28, 28), (32,)), types: (tf.float64, tf.uint8)>")
        self.assertEqual(repr(dataset.element_spec[0]), "TensorSpec(shape=(32, 28, 28), dtype=tf.float64, name=None)")


if __name__ == "__main__":
    unittest.main()
