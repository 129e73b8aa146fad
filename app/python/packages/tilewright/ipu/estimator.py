"""IPUEstimator: a model function in the style of TensorFlow 1, traced once for each training and evaluation."""

import numpy as np

from tilewright.ipu.queues import IPUOutfeedQueue, _Feed
from tilewright.keras import metrics, naming
from tilewright.keras.optimizers import CLASSES as OPTIMIZERS
from tilewright.missing import not_yet, refuse_arguments
from tilewright.tf import functions as tf
from tilewright.tf.log import get_logger
from tilewright.trace.context import current
from tilewright.trace.function import Concrete
from tilewright.trace.loops import repeat
from tilewright.trace.optimizers import is_rate


class ModeKeys:
    """What a model function is called for."""

    TRAIN, EVAL, PREDICT = "train", "eval", "infer"


class EstimatorSpec:
    """What a model function returns."""

    def __init__(self, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, **kwargs):
        for name, value in kwargs.items():
            if value is not None:
                raise not_yet(f"the argument {name} of EstimatorSpec")
        self.mode, self.predictions, self.loss, self.train_op, self.eval_metric_ops = mode, predictions, loss, train_op, eval_metric_ops


class IPURunConfig:
    """How an estimator uses the IPU."""

    def __init__(self, iterations_per_loop=1, ipu_options=None, num_replicas=1, num_shards=1, ordinal=0, **kwargs):
        refuse_arguments("IPURunConfig", kwargs, ("prefetch_depth", "autosharding"))
        if num_replicas != 1 or num_shards != 1 or kwargs.get("autosharding"):
            raise not_yet("an IPUEstimator on several IPUs", "A Keras model has replicas and stages.")
        if int(iterations_per_loop) < 1:
            raise ValueError(f"iterations_per_loop is {iterations_per_loop}; it must be 1 or more.")
        self.iterations_per_loop, self.ipu_options = int(iterations_per_loop), ipu_options


class RunConfig:
    """How an estimator runs."""

    def __init__(self, ipu_run_config=None, model_dir=None, log_step_count_steps=100, **kwargs):
        refuse_arguments("RunConfig", kwargs, ("save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
                                               "keep_checkpoint_max", "tf_random_seed"))
        self.ipu_run_config, self.log_step_count_steps = ipu_run_config or IPURunConfig(), log_step_count_steps


class _Elements(_Feed):
    """The data set of one call, from its begin."""


class IPUEstimator:
    """Trains and evaluates model_fn(features, labels, mode). Weights stay, by the names of layers that a fresh model has."""

    def __init__(self, model_fn, model_dir=None, config=None, params=None, **kwargs):
        for name, value in kwargs.items():
            if value is not None:
                raise not_yet(f"the argument {name} of IPUEstimator")
        self._model_fn, self._config, self._params = model_fn, config or RunConfig(), params
        self._weights = {}   # by the device's names
        self._step = 0
        options = self._config.ipu_run_config.ipu_options
        if options is not None:
            options.configure_ipu_system()

    def get_variable_names(self):
        return sorted(self._weights)

    def get_variable_value(self, name):
        return np.array(self._weights[name])

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains for so many steps; returns the estimator."""
        if steps is None or max_steps is not None or hooks:
            raise not_yet("IPUEstimator.train without steps, with max_steps or with hooks")
        losses = self._run(input_fn, ModeKeys.TRAIN, int(steps), lambda spec: {"loss": spec.loss})
        self._step += int(steps)
        get_logger().info("Loss for final step: %s.", losses[-1]["loss"])
        return self

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """The mean loss and the metrics over so many steps, as a dict."""
        if steps is None or hooks or checkpoint_path:
            raise not_yet("IPUEstimator.evaluate without steps, with hooks or with checkpoint_path")

        def values(spec):
            return {"loss": spec.loss, **{key: pair[1] for key, pair in (spec.eval_metric_ops or {}).items()}}

        found = self._run(input_fn, ModeKeys.EVAL, int(steps), values)
        return {**found[-1], "loss": float(np.mean([step["loss"] for step in found])), "global_step": self._step}

    def predict(self, input_fn, **kwargs):
        raise not_yet("IPUEstimator.predict", "evaluate and train are there.")

    def _call(self, features, labels, mode):
        from tilewright.trace.autograph import convert

        more = {} if self._params is None else {"params": self._params}
        spec = convert(self._model_fn)(features, labels, mode, **more)
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn is to return an EstimatorSpec.")
        if spec.loss is None:
            raise ValueError("The EstimatorSpec has no loss.")
        return spec

    def _run(self, input_fn, mode, steps, values):
        """Runs the steps in loops of the device; returns the values of each step."""
        size = min(self._config.ipu_run_config.iterations_per_loop, steps)
        if steps % size:
            raise ValueError(f"The number of steps {steps} must be divisible by iterations_per_loop ({size}).")
        feed, queue = _Elements(input_fn(), f"IPUEstimator.{mode}"), IPUOutfeedQueue()

        def body():
            current().updates = mode == ModeKeys.TRAIN  # an evaluation only builds what trains
            element = feed.take_traced()
            features, labels = element if isinstance(element, tuple) else (element, None)
            queue.enqueue(values(self._call(features, labels, mode)))

        with naming.fresh():  # each graph of TensorFlow 1 counts its names from the begin
            program = Concrete(f"estimator_{mode}", lambda: repeat(size, body), [], {}, self, streams=False)
        variables = {name: variable for name, variable in program.variables().items()
                     if not is_rate(variable) and not getattr(variable, "is_local", False)}
        for name, variable in variables.items():
            if name in self._weights:
                variable.assign(self._weights[name])
        found = []
        for done in range(0, steps, size):
            program([])
            found.extend({name: float(value) for name, value in element.items()} for element in queue)
            if mode == ModeKeys.TRAIN and (done + size) % self._config.log_step_count_steps == 0:
                get_logger().info("loss = %s, step = %s", found[-1]["loss"], self._step + done + size)
        if mode == ModeKeys.TRAIN:
            self._weights.update((name, np.array(variable.numpy())) for name, variable in variables.items())
        return found


class GradientDescentOptimizer(OPTIMIZERS["SGD"]):
    """TensorFlow 1's name of SGD."""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(learning_rate, name=name)

    def minimize(self, loss, global_step=None, var_list=None, **kwargs):
        """Updates the variables that the loss depends on."""
        variables = [entry[0] for entry in current().variables.values() if entry[0].trainable] if var_list is None else list(var_list)
        return super().minimize(loss, variables)


def accuracy(labels, predictions, weights=None, name="accuracy"):
    """TensorFlow 1's streaming accuracy: (value, update)."""
    mean = metrics.Mean(name=name)
    labels, predictions = current().lift(labels), current().lift(predictions)
    mean.update_state(tf.cast(tf.equal(tf.cast(labels, "int32"), tf.cast(predictions, "int32")), "float32"), weights)
    value = mean.result()
    for variable in mean.variables:
        variable.is_local = True  # begins anew with each call of the estimator
    return value, value
