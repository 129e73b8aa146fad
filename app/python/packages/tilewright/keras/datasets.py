"""keras.datasets: the files of TILEWRIGHT_DATA or of Keras's cache, else drawn data of the same shapes and types.

Nothing is downloaded. The files are Keras's own (mnist.npz, imdb.npz, cifar-10-batches-py), and for MNIST also the IDX files.
"""

import gzip
import os
import pickle
import sys

import numpy as np

_SAID = set()


def _say(text):
    if text not in _SAID:
        _SAID.add(text)
        print(text, file=sys.stderr, flush=True)


def _folders():
    given = os.environ.get("TILEWRIGHT_DATA")
    home = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    return [folder for folder in (given, os.path.join(home, "datasets")) if folder]


def _find(*names):
    """The first file or folder of one of these names in the folders."""
    for folder in _folders():
        for name in names:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                return path
    return None


def _drawn(name, what):
    _say(f"tilewright: {name} was not found in TILEWRIGHT_DATA or ~/.keras/datasets: {what} of the same shapes stand in. Set "
         "TILEWRIGHT_DATA to a folder with the files for the real numbers.")


def _idx(path):
    """An array of the IDX format, compressed or not."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    kind, rank = data[2], data[3]
    if data[:2] != b"\0\0" or kind != 8:
        raise ValueError(f"{path}: this is no IDX file of bytes.")
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(rank)]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape).copy()


def _mnist_files():
    """The four IDX files, or None."""
    found = []
    for name in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"):
        path = _find(name + ".gz", name, os.path.join("mnist", name + ".gz"), os.path.join("mnist", name))
        if path is None:
            return None
        found.append(_idx(path))
    return (found[0], found[1]), (found[2], found[3])


class mnist:
    """Handwritten digits: images uint8 [n, 28, 28] and labels uint8."""

    @staticmethod
    def load_data(path="mnist.npz"):
        file = _find(path, os.path.join("mnist", os.path.basename(path)))
        if file is not None:
            with np.load(file, allow_pickle=True) as arrays:
                return (arrays["x_train"], arrays["y_train"]), (arrays["x_test"], arrays["y_test"])
        files = _mnist_files()
        if files is not None:
            return files
        import _tilewright

        _drawn("mnist.npz", "drawn digits")
        x_train, y_train, x_test, y_test = _tilewright.digits()
        return (x_train, y_train), (x_test, y_test)


class cifar10:
    """Colour images uint8 [n, 32, 32, 3] of ten classes; labels uint8 [n, 1]."""

    @staticmethod
    def load_data():
        folder = _find("cifar-10-batches-py")
        if folder is not None:
            parts = [_cifar_batch(os.path.join(folder, f"data_batch_{i}")) for i in range(1, 6)]
            test = _cifar_batch(os.path.join(folder, "test_batch"))
            return tuple(np.concatenate(arrays) for arrays in zip(*parts)), test
        _drawn("cifar-10-batches-py", "drawn colour patterns")
        return _patterns(50000, 1), _patterns(10000, 2)


def _cifar_batch(path):
    with open(path, "rb") as file:
        rows = pickle.load(file, encoding="bytes")
    images = np.asarray(rows[b"data"], np.uint8).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), np.asarray(rows[b"labels"], np.uint8)[:, None]


def _patterns(count, seed):
    """Waves whose direction and colour tell the class, with noise."""
    generator = np.random.Generator(np.random.Philox(seed))
    labels = generator.integers(0, 10, count)
    angles = np.arange(10) * np.pi / 10
    y, x = np.mgrid[0:32, 0:32] / 32.0
    waves = np.sin(2 * np.pi * 3 * (np.cos(angles)[:, None, None] * x + np.sin(angles)[:, None, None] * y))
    colour = 0.5 + 0.5 * np.cos(angles[:, None] * 2 + np.array([0, 2.1, 4.2]))
    base = (96 * waves[..., None] * colour[:, None, None, :] + 128).astype(np.float32)
    images = np.empty((count, 32, 32, 3), np.uint8)
    for start in range(0, count, 5000):
        rows = slice(start, min(count, start + 5000))
        noise = generator.normal(0, 40, (len(labels[rows]), 32, 32, 3)).astype(np.float32)
        images[rows] = np.clip(base[labels[rows]] + noise, 0, 255).astype(np.uint8)
    return images, labels.astype(np.uint8)[:, None]


class imdb:
    """Reviews as lists of word numbers, with labels 0 and 1."""

    @staticmethod
    def load_data(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1, oov_char=2, index_from=3, **kwargs):
        from tilewright.missing import refuse_arguments

        refuse_arguments("imdb.load_data", kwargs)
        file = _find(path)
        if file is not None:
            with np.load(file, allow_pickle=True) as arrays:
                x_train, y_train, x_test, y_test = (arrays[name] for name in ("x_train", "y_train", "x_test", "y_test"))
        else:
            _drawn("imdb.npz", "drawn word numbers")
            (x_train, y_train), (x_test, y_test) = _reviews(25000, 1), _reviews(25000, 2)
        source = np.random.RandomState(seed)
        x_train, y_train = _mixed(source, x_train, y_train)
        x_test, y_test = _mixed(source, x_test, y_test)
        count = len(x_train)
        words = [[start_char, *(word + index_from for word in review)] if start_char is not None else
                 [word + index_from for word in review] if index_from else list(review) for review in (*x_train, *x_test)]
        labels = np.concatenate([y_train, y_test])
        if maxlen:
            kept = [i for i, review in enumerate(words) if len(review) < maxlen]
            if not kept:
                raise ValueError(f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen.")
            count = sum(1 for i in kept if i < count)
            words, labels = [words[i] for i in kept], labels[kept]
        limit = num_words or max(max(review) for review in words)
        if oov_char is not None:
            words = [[word if skip_top <= word < limit else oov_char for word in review] for review in words]
        else:
            words = [[word for word in review if skip_top <= word < limit] for review in words]
        rows = _objects(words)
        return (rows[:count], labels[:count]), (rows[count:], labels[count:])


def _objects(lists):
    array = np.empty(len(lists), object)
    array[:] = lists
    return array


def _mixed(source, x, y):
    order = np.arange(len(x))
    source.shuffle(order)
    return x[order], y[order]


def _reviews(count, seed):
    """Reviews whose words lean toward one half of the frequent ones, by their label."""
    generator = np.random.Generator(np.random.Philox(seed + 100))
    labels = np.arange(count) % 2
    lengths = np.clip(generator.lognormal(5.3, 0.5, count), 20, 1000).astype(int)
    reviews = np.empty(count, object)
    for i in range(count):
        words = (generator.pareto(1.1, lengths[i]) * 20).astype(int) % 80000 + 1
        leaning = generator.random(lengths[i]) < 0.15
        words[leaning] = 2 * generator.integers(50, 250, leaning.sum()) + labels[i]
        reviews[i] = words.tolist()
    return reviews, labels.astype(np.int64)
