"""How many steps a run has, and of which size: the numbers behind the progress bar."""

from tilewright.tf.log import get_logger, warn


class Plan:
    """Steps of a run, by Keras's rules for IPUs: a step is a micro-batch of each replica."""

    def __init__(self, model, source, steps, training):
        self._model, self._source = model, source
        self.batch_size = source.batch_size
        self.on_ipu = model.on_ipu()
        self.replicas = model.replicas() if self.on_ipu else 1
        given = None if steps is None else int(steps)
        if given is not None and given < 1:
            raise ValueError(f"The number of steps is {given}; it must be 1 or more.")
        available = source.batches
        if self.on_ipu and source.partial:
            raise ValueError(f"The {source.samples} samples are no multiple of the batch size {self.batch_size}: the last batch would hold "
                             f"{source.partial}. An IPU needs full batches: cut the arrays to "
                             f"{source.samples - source.partial} samples, or choose a batch size that divides them.")
        total = given if given is not None else available
        if given is not None and available is not None and available < given and not source.is_dataset:
            raise ValueError(f"Your input ran out of data: {given} batches are needed and there are {available}. "
                             "Make it longer, for example with Dataset.repeat().")
        self.steps = total // self.replicas
        if self.steps == 0:
            raise ValueError(f"The data hold {total} batches, but there are {self.replicas} replicas: at least {self.replicas} batches "
                             "are needed.")
        if total % self.replicas:
            warn(f"The number of batches {total} is not a multiple of the {self.replicas} replicas: {total % self.replicas} are dropped in "
                 "each epoch.")
        #: micro-batches of an epoch, all replicas together
        self.batches = self.steps * self.replicas
        self.execution = min(model._steps_per_execution, self.steps)
        if self.on_ipu:
            self._check_execution(training)

    def _check_execution(self, training):
        wanted = self._model._steps_per_execution
        if wanted > self.steps:
            warn(f"steps_per_execution is {wanted}, but an epoch has {self.steps} steps: it is set to {self.steps}.")
        elif wanted == 1:
            get_logger().info("steps_per_execution is 1: a larger value makes fewer round trips to the host.")
        if self.steps % self.execution:
            raise ValueError(f"The {self.steps} steps of an epoch do not divide into executions of {self.execution} steps: "
                             "steps_per_execution must divide the number of batches.")
        if training:
            self._model.check_accumulation(self.execution)

    def fields(self):
        """The fields of a project."""
        return {"training.batch_size": self.batch_size, "training.replicas": self.replicas,
                "training.steps_per_epoch": self.batches if self._is_part() else None,
                "training.steps_per_execution": self.execution if self.on_ipu else 1}

    def _is_part(self):
        """Whether an epoch is only a part of arrays that have more batches."""
        return self._source.batches is not None and not self._source.is_dataset and self.batches < self._source.batches

    def whole(self, columns):
        """The samples of the whole steps: what an evaluation reads."""
        count = self.batches * self.batch_size
        return columns if columns.count() <= count else columns.cut(count)
