"""Terms that layers add to the loss and to the metrics of a model while their `call` is traced."""

from tilewright.missing import NotThereYet, not_yet
from tilewright.tf import functions as tf, nest
from tilewright.trace.context import current


class _Additions:
    """What was added in one function, in its order: (layer, tensor) and (layer, name, tensor)."""

    def __init__(self):
        self.losses, self.metrics = [], []


def _open():
    graph = current()
    if not hasattr(graph, "additions"):
        graph.additions = _Additions()
    return graph.additions


def _need_trace(what, owner, values):
    from tilewright.keras.engine.keras_tensor import KerasTensor

    if any(isinstance(leaf, KerasTensor) for leaf in nest.flatten(values)):
        raise NotThereYet(f"{what} of the layer {owner.name} with a symbolic Keras tensor is not there yet. Call it inside of `call`.")
    if any(callable(leaf) for leaf in nest.flatten(values)):
        raise not_yet(f"{what} of the layer {owner.name} with a function", "Give a tensor, inside of `call`.")


def add_loss(owner, losses):
    """Notes terms of the loss. Outside of functions there is no loss to add to."""
    _need_trace("add_loss", owner, losses)
    if current() is not None:
        _open().losses.extend((owner, tf.reduce_mean(current().lift(leaf))) for leaf in nest.flatten(losses))


def add_metric(owner, value, name):
    """Notes a value whose mean is reported under the name."""
    if name is None:
        raise ValueError("Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), name='mean_activation')`.")
    _need_trace("add_metric", owner, value)
    if current() is not None:
        _open().metrics.append((owner, name, current().lift(value)))


def forget(layers):
    """A new call of a model begins: what its layers added in an earlier one no longer counts."""
    if current() is None or not hasattr(current(), "additions"):
        return
    additions = current().additions
    additions.losses = [entry for entry in additions.losses if not _among(entry[0], layers)]
    additions.metrics = [entry for entry in additions.metrics if not _among(entry[0], layers)]


def _among(layer, layers):
    return any(layer is other for other in layers)


def losses_of(layers):
    """The terms of these layers, in order, and the penalties of their weights."""
    added = []
    if current() is not None and hasattr(current(), "additions"):
        added = [tensor for owner, tensor in current().additions.losses if _among(owner, layers)]
    return added + [penalty(variable, regularizer) for layer in layers for variable, regularizer in penalized(layer)]


def metrics_of(layers):
    """(name, tensor) of what these layers report."""
    if current() is None or not hasattr(current(), "additions"):
        return []
    return [(name, tensor) for owner, name, tensor in current().additions.metrics if _among(owner, layers)]


def penalized(layer):
    """The weights of a layer that have a regularizer."""
    from tilewright.keras.penalties import get_regularizer

    found = list(layer._penalized)
    given = layer.__dict__.get("_given") or {}
    for argument, regularizer in given.items():
        if not argument.endswith("_regularizer") or regularizer is None:
            continue
        weight = argument[:-len("_regularizer")]
        variables = [variable for row, variable in zip(layer._rows or [], layer._variables) if row["key"] == weight]
        if not variables:
            raise not_yet(f"the argument {argument} of the layer {layer.name} in a model that is trained by its train_step")
        found.append((variables[0], get_regularizer(regularizer)))
    return found


def penalty(variable, regularizer):
    """The regularizer's term for a weight."""
    return regularizer(variable.value())


def refuse_limits(layers):
    """Keras's constraints act in the engine's own training only."""
    for layer in layers:
        for argument, constraint in (layer.__dict__.get("_given") or {}).items():
            if argument.endswith("_constraint") and constraint is not None:
                raise not_yet(f"the argument {argument} of the layer {layer.name} in a model that is trained by its train_step")
