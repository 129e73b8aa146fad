"""Loops and branches of the device."""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes, errors, nest
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.tensor import EagerTensor
from tilewright.trace.context import current

#: The most passes of a while loop: its length is known only to the device.
_LIMIT = 2**31 - 1


class DeviceRange:
    """Numbers start, start + step … that a loop of the device counts."""

    def __init__(self, start, step, count, dtype):
        self.start, self.step, self.count, self.dtype = start, step, count, dtype


def counted(tensor):
    """The eager tensor as numbers to count, if it holds such numbers."""
    values = tensor._value
    if values.ndim != 1 or not tensor.dtype.is_integer or values.size == 0:
        return None
    step = int(values[1]) - int(values[0]) if values.size > 1 else 1
    if not np.array_equal(values, int(values[0]) + step * np.arange(values.size)):
        return None
    return DeviceRange(int(values[0]), step, values.size, tensor.dtype)


def is_value(value):
    """Whether a value can be carried by the device: a tensor, or a Python number."""
    return isinstance(value, (SymbolicTensor, EagerTensor, bool, int, float, np.number, np.bool_)) or hasattr(value, "_read_tensor")


def _leaves(value):
    """The tensors of a carried value; None if it holds something else."""
    leaves = nest.flatten(value)
    return leaves if leaves and all(is_value(leaf) for leaf in leaves) else None


class Carried:
    """The names that a loop carries, as flat lists of tensors and back."""

    def __init__(self, graph, names, values):
        self.graph, self.names = graph, names
        self.forms, self.specs = {}, {}
        for name, value in zip(names, values):
            if (leaves := _leaves(value)) is not None:
                tensors = [graph.lift(leaf) for leaf in leaves]
                self.forms[name] = nest.pack_sequence_as(value, tensors) if nest.is_nested(value) else tensors[0]
                self.specs[name] = [tensor.spec for tensor in tensors]

    def numbers(self):
        return [tensor.number for name in self.forms for tensor in nest.flatten(self.forms[name])]

    def values_from(self, numbers, others):
        """The values of all names: carried ones from numbers of the graph, the others as they are."""
        numbers = iter(numbers)
        values = []
        for name, other in zip(self.names, others):
            if name not in self.forms:
                values.append(other)
                continue
            tensors = [self.graph.traced(next(numbers), spec) for spec in self.specs[name]]
            values.append(nest.pack_sequence_as(self.forms[name], tensors) if nest.is_nested(self.forms[name]) else tensors[0])
        return tuple(values)

    def numbers_of(self, values, place):
        """The numbers of the next values. Raises for another structure, type or shape, with the name."""
        numbers = []
        for name, value in zip(self.names, values):
            if name not in self.forms:
                continue
            leaves = _leaves(value)
            if leaves is None or len(leaves) != len(self.specs[name]):
                raise TypeError(f"{place}: '{name}' has another structure after a pass of the loop than before it.")
            for leaf, spec in zip(leaves, self.specs[name]):
                tensor = self.graph.lift(leaf, None if isinstance(leaf, (SymbolicTensor, EagerTensor)) else _number_type(leaf, spec, name, place))
                if tensor.dtype != spec.dtype:
                    raise TypeError(f"{place}: '{name}' has the type {spec.dtype.name} before the loop, but {tensor.dtype.name} after a "
                                    "pass. Cast it.")
                if tuple(tensor.shape) != tuple(spec.shape):
                    raise ValueError(f"{place}: '{name}' has the shape {spec.shape} before the loop, but {tensor.shape} after a pass. "
                                     "The IPU needs one shape; shape invariants (tf.autograph.experimental.set_loop_options) do not help.")
                numbers.append(tensor.number)
        return numbers


def _number_type(value, spec, name, place):
    if isinstance(value, float) and not spec.dtype.is_floating:
        raise TypeError(f"{place}: '{name}' has the type {spec.dtype.name} before the loop, but float32 after a pass. Cast it.")
    return spec.dtype


def probe(test):
    """The value of a loop's test before its first pass. What it appends to the graph and nobody uses is dropped."""
    return test()


def while_of_names(test, body, get, put, names, place):
    graph = current()
    before = get()
    carried = Carried(graph, names, before)
    inside = graph.raw.begin_while(_LIMIT, carried.numbers(), "while")
    put(carried.values_from(inside, before))
    inside = graph.raw.while_body(_scalar(test(), place).number)
    put(carried.values_from(inside, before))
    body()
    results = graph.raw.end(carried.numbers_of(get(), place))
    put(_behind(carried.values_from(results, before), carried, before, names))


def _behind(values, carried, before, names):
    """Names that only the body knows have no value behind the loop."""
    from tilewright.trace.statements import Undefined

    return tuple(value if name in carried.forms else (Undefined(name) if isinstance(old, Undefined) else old)
                 for name, value, old in zip(names, values, before))


def _scalar(value, place):
    """A condition as one truth value of the device."""
    graph = current()
    tensor = graph.lift(value)
    if not tensor.dtype.is_bool:
        raise ValueError(f"{place}: a condition must be a bool tensor, not {tensor.dtype.name}. Compare it with a number.")
    if tensor.shape.num_elements() != 1:
        raise ValueError(f"{place}: a condition must have one element, not the shape {tensor.shape}. Use tf.reduce_any or tf.reduce_all.")
    return graph.reshaped(tensor, [])


def for_range(numbers, body, broken, get, put, names, targets, place):
    """A loop over tf.range. With a break it becomes a while."""
    graph = current()
    if numbers.count == 0:
        return
    before = get()
    kept = [name for name in names if name not in targets]
    carried = Carried(graph, names, [value if name in kept else None for name, value in zip(names, before)])
    first = graph.constant(numbers.start, [], numbers.dtype)
    if any(name.startswith("__tw_break_") for name in names):
        _range_with_break(graph, numbers, first, body, broken, get, put, names, carried, before, place)
        return
    index, *inside = graph.raw.begin_repeat(numbers.count, carried.numbers(), "repeat")
    item = graph.as_device(graph.result(index, dtypes.int32), "int32", numbers.dtype)
    if numbers.step != 1:
        item = item * numbers.step
    if numbers.start != 0:
        item = item + numbers.start
    put(carried.values_from(inside, before))
    body(item)
    results = graph.raw.end(carried.numbers_of(get(), place))
    put(_behind(carried.values_from(results, before), carried, before, names))


def _range_with_break(graph, numbers, first, body, broken, get, put, names, carried, before, place):
    last = graph.constant(numbers.start + numbers.step * numbers.count, [], numbers.dtype)
    count, *inside = graph.raw.begin_while(_LIMIT, [first.number, *carried.numbers()], "while")
    put(carried.values_from(inside, before))
    item = graph.result(count, numbers.dtype)
    goes_on = item < last if numbers.step > 0 else item > last
    left = broken()
    test = goes_on if left is False else _and_not(goes_on, graph.lift(left))
    count, *inside = graph.raw.while_body(test.number)
    put(carried.values_from(inside, before))
    item = graph.result(count, numbers.dtype)
    body(item)
    results = graph.raw.end([(item + numbers.step).number, *carried.numbers_of(get(), place)])
    put(_behind(carried.values_from(results[1:], before), carried, before, names))


def _and_not(goes_on, left):
    from tilewright.tf import optable

    return optable.apply("LogicalAnd", goes_on, optable.apply("LogicalNot", left))


def for_rows(tensor, body, broken, get, put, names, targets, place):
    """A loop over the first dimension of a tensor."""
    rows = tensor.shape[0]
    graph = current()
    flat = graph.reshaped(graph.lift(tensor), [rows, int(np.prod(tensor.shape[1:], dtype=np.int64))])

    def row(number):
        found = graph.emit("gather", [flat, graph.reshaped(number, [1])], tensor.dtype)
        body(graph.reshaped(found, tensor.shape[1:]))

    for_range(DeviceRange(0, 1, rows, dtypes.int32), row, broken, get, put, names, targets, place)


# Branches ---------------------------------------------------------------------------------------------------------------


def branch(test, then, other, place):
    """The value of one of two functions, as a tensor decides. Both return tensors of one structure."""
    graph = current()
    graph.raw.begin_if(_scalar(test, place).number, "if")
    first = then()
    left = [graph.lift(leaf) for leaf in nest.flatten(first) if leaf is not None]
    graph.raw.otherwise([tensor.number for tensor in left])
    second = other()
    right = [graph.lift(leaf) for leaf in nest.flatten(second) if leaf is not None]
    if len(left) != len(right):
        graph.raw.end([])
        raise TypeError(f"{place}: the branches return different structures: {first!r} and {second!r}.")
    for a, b in zip(left, right):
        if a.dtype != b.dtype or tuple(a.shape) != tuple(b.shape):
            raise TypeError(f"{place}: one branch returns {a.dtype.name} {a.shape}, the other {b.dtype.name} {b.shape}.")
    numbers = graph.raw.end([tensor.number for tensor in right])
    if not left:
        return None
    results = [graph.traced(number, tensor.spec) for number, tensor in zip(numbers, left)]
    return nest.pack_sequence_as(first, results) if nest.is_nested(first) else results[0]


def branch_of_names(test, then, other, names, place):
    """The names after an if statement. A name that both branches leave alone keeps its Python value."""
    from tilewright.trace.statements import Undefined

    graph = current()
    graph.raw.begin_if(_scalar(test, place).number, "if")
    first = then()
    left = [[graph.lift(leaf) for leaf in leaves] if (leaves := _leaves(value)) is not None else None for value in first]
    graph.raw.otherwise([tensor.number for tensors in left if tensors for tensor in tensors])
    second = other()
    right, results = [], []
    for name, a, tensors, b in zip(names, first, left, second):
        if tensors is None:
            if a is not b and not isinstance(a, Undefined) and not isinstance(b, Undefined):
                raise ValueError(f"{place}: '{name}' is {a!r} in one branch and {b!r} in the other. On the device both must be tensors.")
            results.append(a if a is b else Undefined(name))
            continue
        leaves = _leaves(b)
        if leaves is None or len(leaves) != len(tensors):
            if not isinstance(b, Undefined):
                raise TypeError(f"{place}: '{name}' has another structure in the else branch than in the other.")
            leaves = tensors  # never read: it has no value in this branch
            right.extend(graph.constant(0, tensor.shape, tensor.dtype) for tensor in tensors)
            results.append(Undefined(name))
            continue
        for leaf, tensor in zip(leaves, tensors):
            made = graph.lift(leaf, None if isinstance(leaf, (SymbolicTensor, EagerTensor)) else _number_type(leaf, tensor.spec, name, place))
            if made.dtype != tensor.dtype:
                raise TypeError(f"{place}: '{name}' has the type {tensor.dtype.name} in one branch and {made.dtype.name} in the other.")
            if tuple(made.shape) != tuple(tensor.shape):
                raise ValueError(f"{place}: '{name}' has the shape {tensor.shape} in one branch and {made.shape} in the other.")
            right.append(made)
        results.append(None)
    numbers = iter(graph.raw.end([tensor.number for tensor in right]))
    values = []
    for a, tensors, b, result in zip(first, left, second, results):
        made = [graph.traced(next(numbers), tensor.spec) for tensor in tensors or []]
        if result is not None or not made:
            values.append(result)
        elif a is b and not isinstance(a, SymbolicTensor):
            values.append(a)
        else:
            values.append(nest.pack_sequence_as(a, made) if nest.is_nested(a) else made[0])
    return tuple(values)


def cond(pred, true_fn=None, false_fn=None, name=None):
    """tf.cond."""
    if current() is None or not isinstance(pred, SymbolicTensor):
        return true_fn() if pred else false_fn()
    return branch(pred, true_fn, false_fn, "tf.cond")


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False,
               maximum_iterations=None, name=None):
    """tf.while_loop."""
    if shape_invariants is not None:
        raise not_yet("tf.while_loop(shape_invariants=…)", "The IPU needs one shape.")
    graph = current()
    values = tuple(loop_vars)
    if graph is None:
        passes = 0
        while (maximum_iterations is None or passes < int(maximum_iterations)) and cond(*values):
            made = body(*values)
            values = tuple(made) if isinstance(made, (list, tuple)) else (made,)
            passes += 1
        return list(values) if isinstance(loop_vars, list) else values
    names = tuple(f"loop_vars[{i}]" for i in range(len(values)))
    carried = Carried(graph, names, values)
    if len(carried.forms) != len(values):
        raise TypeError("tf.while_loop: every loop variable must be a tensor.")
    limit = _LIMIT if maximum_iterations is None else int(maximum_iterations)
    inside = graph.raw.begin_while(limit, carried.numbers(), "while")
    inside = graph.raw.while_body(_scalar(cond(*carried.values_from(inside, values)), "tf.while_loop").number)
    made = body(*carried.values_from(inside, values))
    made = tuple(made) if isinstance(made, (list, tuple)) else (made,)
    if len(made) != len(values):
        raise ValueError(f"tf.while_loop: the body returns {len(made)} values for {len(values)} loop variables.")
    results = carried.values_from(graph.raw.end(carried.numbers_of(made, "tf.while_loop")), values)
    return list(results) if isinstance(loop_vars, list) else results


def repeat(n, body, inputs=None, infeed_queue=None, use_while_v1=True):
    """ipu.loops.repeat: `body` n times over the carried inputs, and the infeed's element if there is a queue."""
    graph = current()
    if graph is None:
        raise errors.FailedPreconditionError(None, None, "loops.repeat belongs into a tf.function.")
    values = tuple(inputs) if isinstance(inputs, (list, tuple)) else () if inputs is None else (inputs,)
    names = tuple(f"input {i}" for i in range(len(values)))
    carried = Carried(graph, names, values)
    _, *inside = graph.raw.begin_repeat(int(n), carried.numbers(), "repeat")
    arguments, named = list(carried.values_from(inside, values)), {}
    if infeed_queue is not None:
        element = infeed_queue.take_traced()
        if isinstance(element, dict):
            named = element
        else:
            arguments.extend(element if isinstance(element, (list, tuple)) else [element])
    from tilewright.trace.autograph import convert

    made = convert(getattr(body, "python_function", body))(*arguments, **named)
    made = () if made is None else tuple(made) if isinstance(made, (list, tuple)) else (made,)
    made = tuple(value for value in made if value is not None and not isinstance(value, Operation))
    if len(made) != len(values):
        raise ValueError(f"loops.repeat: the body returns {len(made)} tensors, but the loop carries {len(values)}.")
    results = carried.values_from(graph.raw.end(carried.numbers_of(made, "loops.repeat")), values)
    if not results:
        return Operation()
    return results[0] if len(results) == 1 else list(results)


class Operation:
    """What enqueue and a loop without values return: something that has been done when the program runs."""

    name = "NoOp"
