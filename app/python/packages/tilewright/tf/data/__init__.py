"""tf.data on the host: lazy data sets whose elements are nests of tensors."""

from tilewright.tf.data.dataset import Dataset, Iterator, Options

__all__ = ["Dataset", "Iterator", "Options", "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY"]

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2
