"""The `call` of a script's own models and layers: run once on symbolic tensors, it shows which layers they are made of."""

import inspect

from tilewright.missing import not_yet


class _Phase:
    """Stands for `training` while a call is shown: layers decide by it themselves, Python cannot."""

    def __bool__(self):
        raise not_yet("a `call` in which Python decides by `training`", "Layers such as Dropout take training=training.")

    def __eq__(self, other):
        return bool(self)

    __hash__ = object.__hash__


PHASE = _Phase()


def has_own_call(owner, base):
    return getattr(type(owner), "call", None) is not getattr(base, "call", None)


def call(owner, inputs, args, kwargs, function=None):
    """owner.call(inputs, …), or another form of it, with `training` only if it takes it."""
    parameters = inspect.signature(owner.call).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    for name in ("training", "mask"):
        if name in kwargs and name not in parameters and not takes_all:
            kwargs = {key: value for key, value in kwargs.items() if key != name}
    return (function or owner.call)(inputs, *args, **kwargs)


def tracked(owner, kind):
    """The layers among the attributes of an object, in the order in which they were set; lists and dicts are looked into."""
    found = []

    def look(value):
        if isinstance(value, kind):
            if not any(value is other for other in found):
                found.append(value)
        elif isinstance(value, (list, tuple)):
            for part in value:
                look(part)
        elif isinstance(value, dict):
            for part in value.values():
                look(part)
    for name, value in vars(owner).items():
        if not name.startswith(("_network", "_inbound", "_own_layers", "_input_layer", "_live", "_strategy")):
            look(value)
    return found
