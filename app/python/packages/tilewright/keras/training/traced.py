"""fit, evaluate and predict of a model whose steps Python describes: each step is traced, and a loop of the device runs it.

The loop takes the batches from an infeed and sends the logs of each step.
"""

import numpy as np

from tilewright.ipu.config import only_compiles
from tilewright.ipu.queues import IPUOutfeedQueue, _Feed
from tilewright.keras.training.data import as_array, lists_as_arrays, narrowed
from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.specs import TensorSpec
from tilewright.trace.additions import refuse_limits
from tilewright.trace.autograph import convert
from tilewright.trace.function import Concrete
from tilewright.trace.loops import repeat


class _Batches(_Feed):
    """The infeed of the loop: whatever batches are given next."""

    def __init__(self, spec):
        self.element_spec, self._what = spec, "fit"

    def give(self, elements):
        self._iterator = iter(elements)


class Steps:
    """The programs of one kind of step (train, test, predict): one for each form of a batch and number of steps."""

    def __init__(self, model, kind):
        self._model, self._kind = model, kind
        self._programs = {}

    def run(self, form, batches):
        """Runs a step on each batch, a list of arrays; returns the results of each."""
        key = tuple((array.shape, array.dtype.str) for array in batches[0]) + (len(batches),)
        if key not in self._programs:
            self._programs[key] = self._compile(form, batches)
        feed, queue, program = self._programs[key]
        feed.give(batches)
        program([])
        return [queue._packed(element) for element in _taken(queue)]

    def _compile(self, form, batches):
        specs = [TensorSpec(array.shape, array.dtype) for array in batches[0]]
        feed, queue = _Batches(nest.pack_sequence_as(form, specs) if nest.is_nested(form) else specs[0]), IPUOutfeedQueue()
        step = convert(getattr(self._model, self._kind + "_step"))

        def body():
            queue.enqueue(step(feed.take_traced()))

        def program():
            repeat(len(batches), body)

        return feed, queue, Concrete(f"{self._model.name}_{self._kind}", program, [], {}, self._model._strategy, streams=False)


def _taken(queue):
    taken, queue._waiting = queue._waiting, []
    return taken


class Elements:
    """The batches of a source in the structure that the script gave."""

    def __init__(self, model, source):
        self._source = source
        self._epochs = 0
        if source.is_dataset:
            self.form = source._dataset.element_spec
            return
        x, y, weight = source._given
        parts = [part for part in (lists_as_arrays(x), None if y is None else lists_as_arrays(y), weight) if part is not None]
        self.form = tuple(parts) if len(parts) > 1 or nest.is_nested(parts[0]) else parts[0]
        self._arrays = [narrowed(as_array(leaf)) for leaf in nest.flatten(self.form)]

    def epoch(self, count, trained=0):
        """The batches of an epoch, each a list of arrays; `trained` epochs came before it."""
        if self._source.is_dataset:
            if self._epochs:
                self._source.restart()
            self._epochs += 1
            for number in range(count):
                element = self._source._next()
                if element is None:
                    raise ValueError(f"The data set ran out of data: {count} batches are needed and it has {number}. "
                                     "Make it longer, for example with repeat().")
                yield [narrowed(np.asarray(array)) for array in element]
            return
        samples, size = self._source.samples, self._source.batch_size
        order = self._order(samples, trained) if self._source.shuffle else np.arange(samples)
        for start in range(0, min(samples, count * size), size):
            rows = order[start:start + size]
            yield [np.ascontiguousarray(array[rows]) for array in self._arrays]

    @staticmethod
    def _order(samples, trained):
        import _tilewright

        from tilewright.keras.training.fields import seed

        return _tilewright.epoch_order(samples, seed(), trained)


def check(model, parts):
    """Raises for what only the engine's own trainings have."""
    what = ", ".join(parts)
    if model.on_ipu():
        if only_compiles():
            raise not_yet(f"a connection that only compiles (PRE_COMPILE), with {what}")
        if model.built_symbolically() and model.is_pipelined():
            raise not_yet(f"pipeline stages with {what}", "Without stages it trains on one IPU.")
        if model.accumulation_steps() > 1:
            raise not_yet(f"gradient accumulation with {what}", "Accumulate in the train_step, or use a larger batch.")
        if model.replicas() > 1:
            raise not_yet(f"{model.replicas()} replicas with {what}", "auto_select_ipus = 1 trains it on one IPU.")
    refuse_limits(model.all_layers())


def in_groups(batches, size):
    """Lists of at most `size` batches of one form."""
    group = []
    for batch in batches:
        if group and (len(group) == size or batch[0].shape != group[0][0].shape):
            yield group
            group = []
        group.append(batch)
    if group:
        yield group


def numbers(logs):
    """Logs as Python's numbers."""
    return {name: float(value.numpy()) if value.shape.rank == 0 else value.numpy() for name, value in logs.items()}


def group_size(plan, in_steps):
    """Steps of one run of the program: an execution, or a tenth of an epoch where nothing happens between executions."""
    if in_steps or plan.execution > 1:
        return plan.execution
    most = max(1, plan.steps // 10)
    return next(size for size in range(most, 0, -1) if plan.steps % size == 0)


def evaluate(model, source, plan):
    """The logs of test_step over the data."""
    for metric in model.metrics:
        metric.reset_state()
    elements, logs = Elements(model, source), {}
    steps = model.traced_steps("test")
    for group in in_groups(elements.epoch(plan.batches), group_size(plan, False)):
        logs = steps.run(elements.form, group)[-1]
    return numbers(_logs_of(model, "test_step", logs))


def predict(model, source, plan):
    """The outputs of predict_step over the data."""
    elements, results = Elements(model, source), []
    steps = model.traced_steps("predict")
    for group in in_groups(elements.epoch(plan.batches), group_size(plan, False)):
        results.extend(steps.run(elements.form, group))
    leaves = [np.concatenate([np.asarray(leaf.numpy()) for leaf in column]) for column in zip(*map(nest.flatten, results))]
    return nest.pack_sequence_as(results[0], leaves) if nest.is_nested(results[0]) else leaves[0]


def _logs_of(model, step, logs):
    if not isinstance(logs, dict):
        raise TypeError(f"{type(model).__name__}.{step} is to return a dict of logs, not {type(logs).__name__}.")
    return logs


def train_group(model, elements, group):
    """Trains on the batches of a group; returns the logs of each step."""
    return [numbers(_logs_of(model, "train_step", logs)) for logs in model.traced_steps("train").run(elements.form, group)]
