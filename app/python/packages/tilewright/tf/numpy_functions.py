"""tf.experimental.numpy: the joints of arrays that scripts use."""

from tilewright.tf import functions as tf
from tilewright.tf.tensor import convert_to_tensor


def _deep(value, rank):
    """The tensor with at least so many axes, by numpy's rules: [n] becomes [1, n], and [1, n, 1]."""
    tensor = convert_to_tensor(value) if not hasattr(value, "shape") else value
    if tensor.shape.rank == 0:
        tensor = tf.reshape(tensor, [1])
    if rank >= 2 and tensor.shape.rank == 1:
        tensor = tf.expand_dims(tensor, 0)
    return tf.expand_dims(tensor, -1) if rank == 3 and tensor.shape.rank == 2 else tensor


def _split(axis):
    def split(ary, indices_or_sections):
        at = axis if axis != 1 or ary.shape.rank > 1 else 0
        if isinstance(indices_or_sections, int):
            return tf.split(ary, indices_or_sections, at)
        places = [0, *indices_or_sections, ary.shape[at]]
        return tf.split(ary, [b - a for a, b in zip(places, places[1:])], at)
    return split


vsplit, hsplit, dsplit = _split(0), _split(1), _split(2)


def vstack(tup):
    return tf.concat([_deep(value, 2) for value in tup], 0)


def hstack(tup):
    parts = [_deep(value, 1) for value in tup]
    return tf.concat(parts, 0 if parts[0].shape.rank == 1 else 1)


def dstack(tup):
    return tf.concat([_deep(value, 3) for value in tup], 2)
