"""What AutoGraph's statements do: a loop or branch of the device where a tensor decides, Python's own elsewhere."""

import builtins

from tilewright.tf import errors
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.tensor import EagerTensor
from tilewright.trace import loops
from tilewright.trace.context import current


class Undefined:
    """A name without a value yet."""

    def __init__(self, name):
        self.name = name

    def _fail(self, *_):
        raise UnboundLocalError(f"'{self.name}' is used before it has a value.")

    __call__ = __getitem__ = __add__ = __radd__ = __bool__ = __iter__ = _fail

    def __getattr__(self, name):
        raise AttributeError(f"'{self.name}' is used before it has a value.")


def undefined(name):
    return Undefined(name)


def converted(function):
    """A called function with its own statements converted."""
    replaced = _REPLACED.get(id(function))
    if replaced is not None:
        return replaced
    from tilewright.trace.autograph import convert

    return convert(function)


def _decides(value):
    """Whether a tensor of the function being traced decides."""
    return isinstance(value, SymbolicTensor)


def _is_tensor(value):
    """Whether a value is a tensor of the function being traced, or a constant of it."""
    return _decides(value) or (isinstance(value, EagerTensor) and current() is not None)


def logical_and(first, *others):
    value = first
    for other in others:
        if _is_tensor(value):
            value = _logical("LogicalAnd", value, other())
        elif not value:
            return value
        else:
            value = other()
    return value


def logical_or(first, *others):
    value = first
    for other in others:
        if _is_tensor(value):
            value = _logical("LogicalOr", value, other())
        elif value:
            return value
        else:
            value = other()
    return value


def _logical(name, left, right):
    from tilewright.tf import optable

    return optable.apply(name, left, right)


def logical_not(value):
    return _logical_not(value) if _is_tensor(value) else not value


def _logical_not(value):
    from tilewright.tf import optable

    return optable.apply("LogicalNot", value)


def if_expression(test, then, other):
    if not _decides(test):
        return then() if test else other()
    return loops.branch(test, then, other, "a conditional expression")


def if_statement(test, then, other, get, put, names, place):
    if not _decides(test):
        (then if test else other)()
        return
    before = get()

    def run(branch):
        def body():
            put(before)
            branch()
            return get()
        return body

    put(loops.branch_of_names(test, run(then), run(other), names, place))


def while_statement(test, body, get, put, names, place):
    decision = test() if current() is None else loops.probe(test)
    if not _is_tensor(decision):
        while test():
            body()
        return
    loops.while_of_names(test, body, get, put, names, place)


def for_statement(iterated, body, broken, get, put, names, targets, place):
    if current() is not None and isinstance(iterated, EagerTensor):
        iterated = loops.counted(iterated) or current().lift(iterated)
    if isinstance(iterated, loops.DeviceRange):
        loops.for_range(iterated, body, broken, get, put, names, targets, place)
    elif _decides(iterated):
        loops.for_rows(iterated, body, broken, get, put, names, targets, place)
    else:
        for item in iterated:
            body(item)
            left = broken()
            if _decides(left):
                raise errors.OperatorNotAllowedInGraphError(
                    f"{place}: a tensor decides the break of a loop over Python values. Loop over tf.range instead.")
            if left:
                break


def _range(*arguments):
    if any(_decides(value) or isinstance(value, EagerTensor) for value in arguments):
        from tilewright.tf import functions

        return functions.range(*arguments)
    return builtins.range(*arguments)


def _len(value):
    if _decides(value):
        if value.shape.rank == 0:
            raise ValueError("len of a scalar tensor is not defined.")
        return value.shape[0]
    return builtins.len(value)


def _next(iterator, *default):
    return iterator.take_traced() if hasattr(iterator, "take_traced") and current() is not None else builtins.next(iterator, *default)


def _abs(value):
    return builtins.abs(value)


def _float(value):
    if _decides(value):
        from tilewright.tf import functions

        return functions.cast(value, "float32")
    return builtins.float(value)


def _int(value, *base):
    if _decides(value):
        from tilewright.tf import functions

        return functions.cast(value, "int32")
    return builtins.int(value, *base)


def _print(*values, **options):
    if any(_decides(value) for value in values):
        raise errors.invalid("print of a tensor has no form in a program of the IPU. Return the tensor, or send it by an outfeed queue.")
    builtins.print(*values, **options)


#: Builtin functions that tensors have their own forms of.
_REPLACED = {id(builtins.range): _range, id(builtins.len): _len, id(builtins.next): _next, id(builtins.float): _float,
             id(builtins.int): _int, id(builtins.print): _print}
