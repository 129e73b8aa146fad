"""keras.datasets and the small functions around data."""

import contextlib
import gzip
import io
import os
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401
import numpy as np
from keras.datasets import cifar10, imdb, mnist
from keras.preprocessing import sequence
from keras.utils import to_categorical
from tilewright.keras import datasets


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        patch = mock.patch.dict(os.environ, {"TILEWRIGHT_DATA": self.folder, "KERAS_HOME": os.path.join(self.folder, "none")})
        patch.start()
        self.addCleanup(patch.stop)
        datasets._SAID.clear()

    def test_npz(self):
        arrays = {"x_train": np.full((3, 28, 28), 7, np.uint8), "y_train": np.array([1, 2, 3], np.uint8),
                  "x_test": np.zeros((2, 28, 28), np.uint8), "y_test": np.array([4, 5], np.uint8)}
        np.savez(os.path.join(self.folder, "mnist.npz"), **arrays)
        (x_train, y_train), (x_test, y_test) = mnist.load_data()
        self.assertEqual((x_train[0, 0, 0], y_train.tolist(), x_test.shape, y_test.tolist()), (7, [1, 2, 3], (2, 28, 28), [4, 5]))

    def test_idx(self):
        def write(name, array, packed):
            header = bytes([0, 0, 8, array.ndim]) + b"".join(extent.to_bytes(4, "big") for extent in array.shape)
            with (gzip.open if packed else open)(os.path.join(self.folder, name), "wb") as file:
                file.write(header + array.tobytes())
        images = np.arange(2 * 28 * 28, dtype=np.uint32).astype(np.uint8).reshape(2, 28, 28)
        write("train-images-idx3-ubyte.gz", images, True)
        write("train-labels-idx1-ubyte", np.array([3, 4], np.uint8), False)
        write("t10k-images-idx3-ubyte.gz", images[:1], True)
        write("t10k-labels-idx1-ubyte.gz", np.array([5], np.uint8), True)
        (x_train, y_train), (x_test, y_test) = mnist.load_data()
        self.assertTrue((x_train == images).all())
        self.assertEqual((y_train.tolist(), x_test.shape, y_test.tolist()), ([3, 4], (1, 28, 28), [5]))

    def test_drawn_digits_stand_in_and_one_line_says_so(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            (x_train, y_train), (x_test, y_test) = mnist.load_data()
            mnist.load_data()
        self.assertEqual([(array.shape, array.dtype.name) for array in (x_train, y_train, x_test, y_test)],
                         [((60000, 28, 28), "uint8"), ((60000,), "uint8"), ((10000, 28, 28), "uint8"), ((10000,), "uint8")])
        self.assertEqual(said.getvalue().count("\n"), 1)
        self.assertRegex(said.getvalue(), "mnist.npz.*TILEWRIGHT_DATA")

    def test_cifar_batches(self):
        import pickle

        os.mkdir(os.path.join(self.folder, "cifar-10-batches-py"))
        rows = np.arange(2 * 3072, dtype=np.uint32).astype(np.uint8).reshape(2, 3072)
        for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
            with open(os.path.join(self.folder, "cifar-10-batches-py", name), "wb") as file:
                pickle.dump({b"data": rows, b"labels": [1, 9]}, file)
        (x_train, y_train), (x_test, y_test) = cifar10.load_data()
        self.assertEqual((x_train.shape, y_train.shape, x_test.shape), ((10, 32, 32, 3), (10, 1), (2, 32, 32, 3)))
        self.assertEqual((x_test[0, 0, 1, 2], y_test.tolist()), (rows[0, 2 * 1024 + 1], [[1], [9]]))

    def test_imdb_shifts_and_limits_words(self):
        def reviews(*lists):
            array = np.empty(len(lists), object)
            array[:] = lists
            return array
        np.savez(os.path.join(self.folder, "imdb.npz"), x_train=reviews([1, 50], [2, 3, 4]), y_train=np.array([0, 1]),
                 x_test=reviews([7]), y_test=np.array([1]))
        (x_train, y_train), (x_test, _) = imdb.load_data(num_words=20)
        self.assertEqual(sorted(zip(map(tuple, x_train), y_train)), [((1, 4, 2), 0), ((1, 5, 6, 7), 1)])
        self.assertEqual(x_test.tolist(), [[1, 10]])


class Functions(unittest.TestCase):
    def test_padding_and_cutting_are_in_front(self):
        rows = sequence.pad_sequences([[1, 2, 3, 4], [5]], maxlen=3)
        self.assertEqual((rows.tolist(), rows.dtype), ([[2, 3, 4], [0, 0, 5]], np.int32))
        rows = sequence.pad_sequences([[1, 2, 3], []], maxlen=2, padding="post", truncating="post", value=9)
        self.assertEqual(rows.tolist(), [[1, 2], [9, 9]])
        with self.assertRaises(ValueError):
            sequence.pad_sequences([[1]], padding="middle")

    def test_categories(self):
        rows = to_categorical([[0], [2]])
        self.assertEqual((rows.tolist(), rows.dtype), ([[1, 0, 0], [0, 0, 1]], np.float32))
        self.assertEqual(to_categorical([1], 4).shape, (1, 4))


if __name__ == "__main__":
    unittest.main()
