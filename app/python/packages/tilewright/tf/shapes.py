"""Shapes with unknown extents."""


class TensorShape:
    """A shape. An extent is a number or None; the whole shape may have an unknown rank."""

    __slots__ = ("_dims",)

    def __init__(self, dims):
        if isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif dims is None:
            self._dims = None
        elif isinstance(dims, int):
            self._dims = (dims,)
        else:
            self._dims = tuple(None if extent is None or extent == -1 else _extent(extent) for extent in dims)

    @property
    def rank(self):
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self):
        return None if self._dims is None else list(self._dims)

    def as_list(self):
        if self._dims is None:
            raise ValueError("as_list() is not defined for a shape of unknown rank.")
        return list(self._dims)

    def is_fully_defined(self):
        return self._dims is not None and None not in self._dims

    def num_elements(self):
        """Number of elements; None if an extent is unknown."""
        if not self.is_fully_defined():
            return None
        count = 1
        for extent in self._dims:
            count *= extent
        return count

    def is_compatible_with(self, other):
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims))

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError(f"The shapes {self} and {TensorShape(other)} do not fit together.")

    def merge_with(self, other):
        """The shape that both describe."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        return TensorShape(b if a is None else a for a, b in zip(self._dims, other._dims))

    def concatenate(self, other):
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other._dims)

    def __add__(self, other):
        return self.concatenate(other)

    def __radd__(self, other):
        return TensorShape(other).concatenate(self)

    def with_rank(self, rank):
        if self._dims is not None and len(self._dims) != rank:
            raise ValueError(f"The shape {self} has not the rank {rank}.")
        return self if self._dims is not None else TensorShape([None] * rank)

    def __len__(self):
        if self._dims is None:
            raise ValueError("The length of a shape of unknown rank is not known.")
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError("A shape of unknown rank cannot be iterated.")
        return iter(self._dims)

    def __getitem__(self, key):
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else None
        return TensorShape(self._dims[key]) if isinstance(key, slice) else self._dims[key]

    def __eq__(self, other):
        try:
            return self._dims == TensorShape(other)._dims
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return hash(self._dims)

    def __str__(self):
        if self._dims is None:
            return "<unknown>"
        text = ", ".join(map(str, self._dims))
        return f"({text},)" if len(self._dims) == 1 else f"({text})"

    def __repr__(self):
        return "TensorShape(None)" if self._dims is None else f"TensorShape({list(self._dims)})"

    def __reduce__(self):
        return TensorShape, (self._dims,)


def _extent(value):
    """An extent as an int; tensors and numpy integers are accepted, floats are not."""
    if hasattr(value, "__index__"):
        return value.__index__()
    raise TypeError(f"{value!r} is no extent of a shape.")


def broadcast(left, right):
    """The shape of an elementwise operation on two tuples of extents. Raises ValueError."""
    result = []
    for i in range(max(len(left), len(right))):
        a = left[len(left) - 1 - i] if i < len(left) else 1
        b = right[len(right) - 1 - i] if i < len(right) else 1
        if a == 1:
            result.append(b)
        elif b == 1 or a == b:
            result.append(a)
        elif a is None or b is None:
            result.append(b if a is None else a)
        else:
            raise ValueError(f"the shapes {list(left)} and {list(right)} do not broadcast")
    return tuple(reversed(result))
