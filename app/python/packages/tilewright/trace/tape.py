"""tf.GradientTape inside a function."""

from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.optable import SymbolicTensor
from tilewright.trace.context import current


class GradientTape:
    """Gradients of what was computed in its block."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._used = persistent, False
        self._watched = []

    def __enter__(self):
        if current() is None:
            raise not_yet("tf.GradientTape outside of a tf.function", "Put the block into a function with @tf.function(jit_compile=True).")
        return self

    def __exit__(self, *_):
        return False

    def watch(self, tensor):
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self):
        return tuple(entry[0] for entry in current().variables.values() if entry[0].trainable)

    def stop_recording(self):
        import contextlib

        return contextlib.nullcontext()

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients="none"):
        """Gradients of the sum of the target's elements; None where it does not depend on a source."""
        if self._used and not self._persistent:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients.")
        self._used = True
        if target is None:
            raise TypeError("The target of a gradient must not be None.")
        if output_gradients is not None:
            raise not_yet("GradientTape.gradient(output_gradients=…)", "Multiply the target by them.")
        found = gradients(target, nest.flatten(sources))
        if str(unconnected_gradients).lower().endswith("zero"):
            graph = current()
            found = [graph.constant(0, source.shape, source.dtype) if gradient is None else gradient
                     for gradient, source in zip(found, nest.flatten(sources))]
        return nest.pack_sequence_as(sources, found) if nest.is_nested(sources) else found[0]


def gradients(target, sources):
    """A list of gradients, None where there is none."""
    graph = current()
    total = None
    for leaf in nest.flatten(target):
        tensor = graph.lift(leaf)
        if not tensor.dtype.is_floating:
            raise TypeError(f"The target of a gradient must be floating point, not {tensor.dtype.name}.")
        from tilewright.tf import functions

        summed = functions.reduce_sum(tensor)
        total = summed if total is None else total + summed
    tensors = [i for i, source in enumerate(sources) if isinstance(source, SymbolicTensor)]
    variables = [i for i, source in enumerate(sources) if not isinstance(source, SymbolicTensor)]
    numbers = graph.raw.gradients(total.number, [sources[i].number for i in tensors], [graph.number_of(sources[i]) for i in variables])
    found = [None] * len(sources)
    for i, number in zip([*tensors, *variables], numbers):
        if number >= 0:
            found[i] = graph.result(number, sources[i].dtype)
    return found
