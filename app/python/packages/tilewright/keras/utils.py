"""keras.utils and keras.preprocessing.sequence."""

import numpy as np


def to_categorical(y, num_classes=None, dtype="float32"):
    """Class numbers as rows with a 1 at the class."""
    y = np.array(y, dtype="int")
    shape = y.shape[:-1] if y.ndim > 1 and y.shape[-1] == 1 else y.shape
    flat = y.ravel()
    if not num_classes:
        num_classes = int(flat.max()) + 1
    rows = np.zeros((len(flat), num_classes), dtype)
    rows[np.arange(len(flat)), flat] = 1
    return rows.reshape((*shape, num_classes))


def normalize(x, axis=-1, order=2):
    """x over its norms along an axis."""
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)


def set_random_seed(seed):
    import random

    from tilewright.tf.random import set_seed

    random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0):
    """Sequences as rows of one length: filled and cut in front, unless told otherwise."""
    for name, choice in (("padding", padding), ("truncating", truncating)):
        if choice not in ("pre", "post"):
            raise ValueError(f'{name} type "{choice}" not understood: choose "pre" or "post".')
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    if maxlen is None:
        maxlen = max((len(sequence) for sequence in sequences), default=0)
    sample = next((np.asarray(sequence).shape[1:] for sequence in sequences if len(sequence)), ())
    rows = np.full((len(sequences), maxlen, *sample), value, dtype=dtype)
    for row, sequence in zip(rows, sequences):
        if not len(sequence) or not maxlen:
            continue
        cut = np.asarray(sequence[-maxlen:] if truncating == "pre" else sequence[:maxlen], dtype=dtype)
        if padding == "pre":
            row[-len(cut):] = cut
        else:
            row[:len(cut)] = cut
    return rows
