"""Rows of the operation table: shapes, indices and joints, on numpy."""

import numpy as np

from tilewright.tf import dtypes
from tilewright.tf.kernels import axes_of, same
from tilewright.tf.optable import define
from tilewright.tf.shapes import TensorShape
from tilewright.tf.specs import TensorSpec


def _by_zeros(specs, kernel, *arguments, **attributes):
    """The shape that a kernel gives for inputs of known shape, found on an array without memory of its own."""
    shapes = [spec.shape for spec in specs]
    if not all(shape.is_fully_defined() for shape in shapes):
        return TensorSpec(None, specs[0].dtype)
    dummies = [np.broadcast_to(np.zeros((), np.int8), tuple(shape)) for shape in shapes]
    return TensorSpec(kernel(*dummies, *arguments, **attributes).shape, specs[0].dtype)


def reshaped(old, new):
    """The extents of a reshape with at most one -1. Raises ValueError."""
    new = [int(extent) for extent in new]
    if new.count(-1) > 1:
        raise ValueError(f"the shape {new} has more than one -1")
    count = TensorShape(old).num_elements()
    known = int(np.prod([extent for extent in new if extent != -1]))
    if count is None:
        return [None if extent == -1 else extent for extent in new]
    if -1 in new:
        if known == 0 or count % known:
            raise ValueError(f"{count} values do not fill the shape {new}")
        return [count // known if extent == -1 else extent for extent in new]
    if known != count:
        raise ValueError(f"{count} values do not fill the shape {new}, which has {known}")
    return new


@define("Reshape", lambda specs, shape: TensorSpec(reshaped(specs[0].shape, shape), specs[0].dtype))
def _reshape(x, shape):
    return np.reshape(x, shape)


def _transpose_rule(specs, perm=None):
    shape = list(specs[0].shape)
    perm = list(reversed(range(len(shape)))) if perm is None else [int(i) for i in perm]
    if sorted(perm) != list(range(len(shape))):
        raise ValueError(f"{perm} is no order of the {len(shape)} axes")
    return TensorSpec([shape[i] for i in perm], specs[0].dtype)


@define("Transpose", _transpose_rule)
def _transpose(x, perm=None):
    return np.transpose(x, perm)


def _expand_rule(specs, axis):
    shape = list(specs[0].shape)
    if not -len(shape) - 1 <= axis <= len(shape):
        raise ValueError(f"the axis {axis} is not between {-len(shape) - 1} and {len(shape)}")
    shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, 1)
    return TensorSpec(shape, specs[0].dtype)


@define("ExpandDims", _expand_rule)
def _expand(x, axis):
    return np.expand_dims(x, axis)


def _squeeze_rule(specs, axis=None):
    shape = list(specs[0].shape)
    axes = [i for i, extent in enumerate(shape) if extent == 1] if axis is None else axes_of(axis, len(shape))
    for i in axes:
        if shape[i] not in (1, None):
            raise ValueError(f"the axis {i} has {shape[i]} elements, not 1")
    return TensorSpec([extent for i, extent in enumerate(shape) if i not in axes], specs[0].dtype)


@define("Squeeze", _squeeze_rule)
def _squeeze(x, axis=None):
    return np.squeeze(x, None if axis is None else axes_of(axis, x.ndim))


def _concat_rule(specs, axis):
    first = list(specs[0].shape)
    axis = axes_of(axis, len(first))[0]
    total = 0
    for spec in specs:
        shape = list(spec.shape)
        if len(shape) != len(first) or any(i != axis and a != b and None not in (a, b) for i, (a, b) in enumerate(zip(shape, first))):
            raise ValueError(f"the shapes {first} and {shape} differ outside axis {axis}")
        total = None if total is None or shape[axis] is None else total + shape[axis]
    first[axis] = total
    return TensorSpec(first, specs[0].dtype)


@define("Concat", _concat_rule)
def _concat(*parts, axis):
    return np.concatenate(parts, axis)


def _stack_rule(specs, axis=0):
    for spec in specs[1:]:
        if not spec.shape.is_compatible_with(specs[0].shape):
            raise ValueError(f"the shapes {specs[0].shape} and {spec.shape} differ")
    shape = list(specs[0].shape)
    shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, len(specs))
    return TensorSpec(shape, specs[0].dtype)


@define("Stack", _stack_rule)
def _stack(*parts, axis=0):
    return np.stack(parts, axis)


def _unstack_rule(specs, axis=0):
    axes_of(axis, specs[0].shape.rank)
    return None


@define("Unstack", _unstack_rule)
def _unstack(x, axis=0):
    return list(np.moveaxis(x, axis, 0))


def _split_rule(specs, sizes, axis):
    extent = specs[0].shape[axes_of(axis, specs[0].shape.rank)[0]]
    if isinstance(sizes, int):
        if extent is not None and extent % sizes:
            raise ValueError(f"{extent} elements of axis {axis} do not divide into {sizes} equal parts")
    elif extent is not None and -1 not in sizes and sum(sizes) != extent:
        raise ValueError(f"the sizes {sizes} do not add up to the {extent} elements of axis {axis}")
    return None


@define("Split", _split_rule)
def _split(x, sizes, axis):
    if isinstance(sizes, int):
        return np.split(x, sizes, axis)
    sizes = list(sizes)
    if -1 in sizes:
        sizes[sizes.index(-1)] = x.shape[axis] - sum(size for size in sizes if size != -1)
    return np.split(x, np.cumsum(sizes)[:-1], axis)


def _slice_kernel(x, key):
    return x[key]


def _slice_rule(specs, key):
    shape, dtype = specs[0].shape, specs[0].dtype
    given = sum(1 for part in key if part is not None and part is not Ellipsis)
    if shape.rank is not None and given > shape.rank:
        raise ValueError(f"{given} indices for a tensor of rank {shape.rank}")
    try:
        return TensorSpec(_by_zeros(specs, _slice_kernel, key).shape, dtype)
    except IndexError as error:
        raise ValueError(str(error)) from None


define("Slice", _slice_rule)(_slice_kernel)


@define("BooleanMask", lambda specs: TensorSpec(None, specs[0].dtype), inputs="each")
def _boolean_mask(x, mask):
    return x[mask]


@define("Tile", lambda specs, multiples: _by_zeros(specs, np.tile, multiples))
def _tile(x, multiples):
    return np.tile(x, multiples)


@define("BroadcastTo", lambda specs, shape: TensorSpec(shape, specs[0].dtype))
def _broadcast_to(x, shape):
    return np.array(np.broadcast_to(x, shape))


def _pad_rule(specs, paddings, mode="CONSTANT", constant_values=0):
    if len(paddings) != specs[0].shape.rank:
        raise ValueError(f"{len(paddings)} pairs of paddings for a tensor of rank {specs[0].shape.rank}")
    return TensorSpec([None if extent is None else int(extent + sum(pair)) for extent, pair in zip(specs[0].shape, paddings)],
                      specs[0].dtype)


@define("Pad", _pad_rule)
def _pad(x, paddings, mode="CONSTANT", constant_values=0):
    if mode.upper() == "CONSTANT":
        return np.pad(x, paddings, constant_values=constant_values)
    return np.pad(x, paddings, mode={"REFLECT": "reflect", "SYMMETRIC": "symmetric"}[mode.upper()])


def _gather_rule(specs, axis=0):
    shape = list(specs[0].shape)
    axis = axes_of(axis, len(shape))[0]
    return TensorSpec(shape[:axis] + list(specs[1].shape) + shape[axis + 1:], specs[0].dtype)


@define("Gather", _gather_rule, inputs="each")
def _gather(x, indices, axis=0):
    if indices.size and (indices.min() < 0 or indices.max() >= x.shape[axis]):
        from tilewright.tf.errors import invalid

        raise invalid(f"Gather: an index is outside 0 … {x.shape[axis] - 1}.")
    return np.take(x, indices, axis)


@define("GatherNd", lambda specs: TensorSpec(list(specs[1].shape[:-1]) + list(specs[0].shape[specs[1].shape[-1]:]), specs[0].dtype),
        inputs="each")
def _gather_nd(x, indices):
    return x[tuple(np.moveaxis(indices, -1, 0))]


@define("ScatterNd", lambda specs, shape: TensorSpec(shape, specs[1].dtype), inputs="each")
def _scatter_nd(indices, updates, shape):
    result = np.zeros(shape, updates.dtype)
    np.add.at(result, tuple(np.moveaxis(indices, -1, 0)), updates)
    return result


@define("TensorScatterAdd", same, inputs="each")
def _scatter_add(x, indices, updates):
    result = x.copy()
    np.add.at(result, tuple(np.moveaxis(indices, -1, 0)), updates)
    return result


@define("TensorScatterUpdate", same, inputs="each")
def _scatter_update(x, indices, updates):
    result = x.copy()
    result[tuple(np.moveaxis(indices, -1, 0))] = updates
    return result


def _one_hot_rule(specs, depth, on, off, axis, dtype):
    shape = list(specs[0].shape)
    shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, depth)
    return TensorSpec(shape, dtype)


@define("OneHot", _one_hot_rule)
def _one_hot(indices, depth, on, off, axis, dtype):
    hot = indices[..., None] == np.arange(depth)
    return np.moveaxis(np.where(hot, on, off), -1, axis if axis >= 0 else hot.ndim + axis)


@define("Reverse", same)
def _reverse(x, axis):
    return np.flip(x, axes_of(axis, x.ndim))


@define("Roll", same)
def _roll(x, shift, axis):
    return np.roll(x, shift, axis)


@define("Repeat", lambda specs, repeats, axis=None: _by_zeros(specs, np.repeat, repeats, axis))
def _repeat(x, repeats, axis=None):
    return np.repeat(x, repeats, axis)


@define("Sort", lambda specs, axis, direction: same(specs))
def _sort(x, axis, direction):
    ordered = np.sort(x, axis)
    return ordered if direction == "ASCENDING" else np.flip(ordered, axis)


@define("ArgSort", lambda specs, axis, direction: TensorSpec(specs[0].shape, dtypes.int32))
def _arg_sort(x, axis, direction):
    if direction == "ASCENDING":
        return np.argsort(x, axis, kind="stable")
    return np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis) * -1 + x.shape[axis] - 1


@define("TopK", lambda specs, k: None)
def _top_k(x, k):
    order = np.argsort(-x, axis=-1, kind="stable")[..., :k]
    return [np.take_along_axis(x, order, -1), order.astype(np.int32)]
