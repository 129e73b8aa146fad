"""The methods that models have on an IPU: accumulation, pipelines, replication and queues."""

from tilewright.ipu import config
from tilewright.ipu.enums import GradientAccumulationReductionMethod, PipelineSchedule, RecomputationMode
from tilewright.ipu.pipelining import FunctionalLayerPipelineStageAssignment, SequentialLayerPipelineStageAssignment
from tilewright.ipu.strategy import current_strategy
from tilewright.missing import nearest, not_yet

#: Keyword arguments of set_pipelining_options and the fields that they set.
_PIPELINING_FIELDS = {"offload_weight_update_variables": "training.offload_weight_update_variables",
                      "replicated_optimizer_state_sharding": "training.replicated_optimizer_state_sharding",
                      "offload_activations": "training.offload_activations",
                      "offload_gradient_accumulation_buffers": "training.offload_gradient_accumulation_buffers",
                      "replicated_weight_sharding": "training.replicated_weight_sharding", "offload_weights": "training.offload_weights"}
_PIPELINING_LATER = ("gradient_accumulation_dtype", "forward_propagation_stages_poplar_options",
                     "backward_propagation_stages_poplar_options", "weight_update_poplar_options", "accumulate_outfeed_dtype",
                     "gradient_accumulation_for_captured_grads")
_AUTOMATIC = ("gradient_accumulation_count", "device_mapping", "accumulate_outfeed", "computational_stages", "repeat_count", "inputs",
              "infeed_queue", "outfeed_queue", "optimizer_function", "outfeed_loss", "outfeed_mask", "batch_serialization_iterations")


class IpuOptions:
    """The part of a model that the IPU's options make."""

    def begin_ipu_options(self):
        self._strategy = current_strategy()
        self._accumulation = None
        self._accumulation_fields = {}
        self._pipelining = None
        self._pipelining_fields = {}
        self._queue_fields = {}
        self._asynchronous = False
        self._stage_of_layer = None

    def on_ipu(self):
        return self._strategy is not None

    def _need_ipu(self, method):
        if self._strategy is None or not self._strategy.keras_extensions:
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{method}': it is a method of models that are made in the "
                                 "scope of an IPUStrategy.")

    def pipeline_stages(self):
        """Whether any stage is assigned."""
        return any(layer._stage is not None for layer in self.network().layers) or bool(self._stage_of_layer)

    def export_for_ipu_serving(self, export_dir, batch_size=None, output_names=None, preprocessing_step=None,
                               preprocessing_step_signature=None, postprocessing_step=None, postprocessing_step_signature=None,
                               purge_export_dir=False):
        """Compiles the model for requests of one batch; returns a function that answers one."""
        self._need_ipu("export_for_ipu_serving")
        from tilewright.ipu.serving import export_keras

        return export_keras(self, export_dir, batch_size, output_names, preprocessing_step, preprocessing_step_signature,
                            postprocessing_step, postprocessing_step_signature, purge_export_dir)

    # Options ------------------------------------------------------------------------------------------------------------

    def set_gradient_accumulation_options(self, gradient_accumulation_steps_per_replica=None,
                                          gradient_accumulation_reduction_method="sum",
                                          use_v2_gradient_accumulation_optimizer=False, **optimizer_kwargs):
        """Micro-batches for each weight update of a model without a pipeline."""
        self._need_ipu("set_gradient_accumulation_options")
        self._accumulation = _checked_steps(gradient_accumulation_steps_per_replica, self._accumulation)
        for name in optimizer_kwargs:
            if name in ("opt", "num_mini_batches"):
                raise ValueError(f"Found `{name}` key in the arguments: it is set automatically.")
            if name == "experimental_normalize_gradients":
                raise ValueError("experimental_normalize_gradients was removed: use gradient_accumulation_reduction_method.")
        if optimizer_kwargs.pop("dtype", None) is not None:
            raise not_yet("the argument dtype of set_gradient_accumulation_options")
        method = GradientAccumulationReductionMethod.parse(gradient_accumulation_reduction_method)
        self._accumulation_fields = {"training.gradient_accumulation_reduction": method.name.lower(),
                                     **_fields_of("set_gradient_accumulation_options", optimizer_kwargs,
                                                  ("offload_weight_update_variables", "replicated_optimizer_state_sharding"))}
        self._state = None

    def set_pipelining_options(self, gradient_accumulation_steps_per_replica=None, device_mapping=None, accumulate_outfeed=None,
                               gradient_accumulation_reduction_method="sum", **pipelining_kwargs):
        """Options of a pipelined model."""
        self._need_ipu("set_pipelining_options")
        self._pipelining = _checked_steps(gradient_accumulation_steps_per_replica, self._pipelining)
        if device_mapping is not None and (not isinstance(device_mapping, (list, tuple))
                                           or not all(isinstance(ipu, int) for ipu in device_mapping)):
            raise ValueError(f"device_mapping must be a list of numbers of IPUs, one for each stage; it is {device_mapping!r}.")
        for name in pipelining_kwargs:
            if name in _AUTOMATIC:
                raise ValueError(f"Found `{name}` key in `pipelining_kwargs`: it has an argument of its own, is set automatically, or "
                                 "does not go with Keras models.")
            if name in _PIPELINING_LATER and pipelining_kwargs[name] is not None:
                raise not_yet(f"the argument {name} of set_pipelining_options")
        method = GradientAccumulationReductionMethod.parse(gradient_accumulation_reduction_method)
        fields = {"training.gradient_accumulation_reduction": method.name.lower()}
        if device_mapping is not None:
            fields["training.device_mapping"] = list(device_mapping)
        if accumulate_outfeed is not None:
            fields["training.accumulate_outfeed"] = bool(accumulate_outfeed)
        schedule = pipelining_kwargs.pop("pipeline_schedule", None)
        if schedule is not None:
            fields["training.pipeline_schedule"] = PipelineSchedule(schedule).name.lower()
        mode = pipelining_kwargs.pop("recomputation_mode", None)
        if mode is not None:
            fields["training.recomputation_mode"] = RecomputationMode(mode).value
        pipelining_kwargs.pop("name", None)
        known = {name: value for name, value in pipelining_kwargs.items() if name not in _PIPELINING_LATER}
        fields.update(_fields_of("set_pipelining_options", known, tuple(_PIPELINING_FIELDS)))
        self._pipelining_fields = {**self._pipelining_fields, **fields}
        self._state = None

    def set_replication_options(self, replicated_metric_reduction_method="NONE"):
        """The engine reports the means over replicas; other forms are not there yet."""
        self._need_ipu("set_replication_options")
        name = getattr(replicated_metric_reduction_method, "name", str(replicated_metric_reduction_method)).upper()
        if name not in ("NONE", "MEAN"):
            raise not_yet(f"the reduction {name} of replicated metrics", "NONE and MEAN report means over the replicas.")

    def set_asynchronous_callbacks(self, asynchronous=False):
        """Callbacks hear of each step while an execution runs, or after each execution."""
        self._need_ipu("set_asynchronous_callbacks")
        self._asynchronous = bool(asynchronous)

    def set_infeed_queue_options(self, **kwargs):
        self._need_ipu("set_infeed_queue_options")
        for name in kwargs:
            if name in ("dataset", "infeed_spec", "element_spec"):
                raise ValueError(f"Found `{name}` key in the arguments: it is set automatically.")
        if kwargs.get("prefetch_depth") is not None:
            self._queue_fields["training.prefetch_depth"] = int(kwargs["prefetch_depth"])

    def set_outfeed_queue_options(self, **kwargs):
        self._need_ipu("set_outfeed_queue_options")
        for name in kwargs:
            if name in ("outfeed_mode", "device_ordinal"):
                raise ValueError(f"Found `{name}` key in the arguments: it is set automatically.")

    # Stages -------------------------------------------------------------------------------------------------------------

    def forget_stages(self):
        """Adding or removing a layer drops the assignment."""
        if getattr(self, "_stage_of_layer", None) is not None:
            self._stage_of_layer = None
            for layer in getattr(self, "_own_layers", []):
                layer._stage = None
                for node in layer._inbound_nodes:
                    node.pipeline_stage = None

    def _is_sequential(self):
        return hasattr(self, "_own_layers")

    def _calls(self):
        """The calls with stages, in the engine's order: without inputs, topologically."""
        network = self.network()
        calls, done = [], set()
        for layer in network.layers:
            for node in network.calls_of(layer):
                self._visit(node, network, calls, done)
        return calls

    def _visit(self, node, network, calls, done):
        if node in done or not node.inputs:
            return
        done.add(node)
        for tensor in node.inputs:
            self._visit(tensor.node, network, calls, done)
        calls.append(node)

    def get_pipeline_stage_assignment(self):
        """One entry for each call of a layer."""
        self._need_ipu("get_pipeline_stage_assignment")
        if self._is_sequential():
            return [SequentialLayerPipelineStageAssignment(layer, 0, None, layer._stage) for layer in self._own_layers]
        number = self.network().number
        return [FunctionalLayerPipelineStageAssignment(node.layer, number[node], node.inbound_layers, node.pipeline_stage)
                for node in self._calls()]

    def set_pipeline_stage_assignment(self, pipeline_stage_assignment):
        """Sets the stages: a list as get_pipeline_stage_assignment gives, or for a Sequential one number for each layer."""
        self._need_ipu("set_pipeline_stage_assignment")
        given = list(pipeline_stage_assignment)
        targets = self._own_layers if self._is_sequential() else self._calls()
        if len(given) != len(targets):
            what = "layers" if self._is_sequential() else "calls of layers"
            raise ValueError(f"The list of stages has {len(given)} entries, but the model has {len(targets)} {what}.")
        stages = []
        for entry, target in zip(given, targets):
            layer = target if self._is_sequential() else target.layer
            if hasattr(entry, "pipeline_stage"):
                if entry.layer is not layer:
                    raise ValueError(f"The list of stages names the layer {entry.layer.name} where {layer.name} is expected.")
                entry = entry.pipeline_stage
            if entry is None:
                raise ValueError(f"The layer {layer.name} has no stage: every layer needs one.")
            stages.append(int(entry))
        if self._is_sequential():
            _check_sequential(self._own_layers, stages)
        for target, stage in zip(targets, stages):
            if self._is_sequential():
                target._stage = stage
                for node in target._inbound_nodes:
                    node.pipeline_stage = stage
            else:
                target.pipeline_stage = stage
        _check_no_gap(stages)
        self._stage_of_layer = stages
        self._state = None

    def reset_pipeline_stage_assignment(self):
        self._need_ipu("reset_pipeline_stage_assignment")
        for target in self._own_layers if self._is_sequential() else self._calls():
            if self._is_sequential():
                target._stage = None
                for node in target._inbound_nodes:
                    node.pipeline_stage = None
            else:
                target.pipeline_stage = None
        self._stage_of_layer = None

    def print_pipeline_stage_assignment_summary(self, line_length=None, print_fn=None):
        """Prints a table of the calls of layers with their stages."""
        self._need_ipu("print_pipeline_stage_assignment_summary")
        if line_length is not None:
            raise not_yet("print_pipeline_stage_assignment_summary with line_length")
        for line in self.project().stage_summary().rstrip("\n").split("\n"):
            (print_fn or print)(line)

    def _stages(self):
        if self._is_sequential():
            return [layer._stage for layer in self._own_layers]
        return [node.pipeline_stage for node in self._calls()]

    def is_pipelined(self):
        return self.on_ipu() and any(stage is not None for stage in self._stages())

    # What a run needs ---------------------------------------------------------------------------------------------------

    def _ipus_per_replica(self):
        stages = [stage for stage in self._stages() if stage is not None]
        if not stages:
            return 1
        mapping = self._pipelining_fields.get("training.device_mapping") or list(range(max(stages) + 1))
        return 1 << max(mapping).bit_length()

    def replicas(self):
        """Copies of the model on the configured IPUs."""
        settings = config.configured()
        sizes = settings.device_sizes() if settings is not None else []
        device = self._strategy.device_ordinal()
        ipus = sizes[device] if device < len(sizes) else 1
        needed = self._ipus_per_replica()
        if ipus < needed:
            raise ValueError(f"The model {self.name} needs {needed} IPUs, but the device has {ipus}: auto_select_ipus must be a multiple "
                             f"of {needed}.")
        return ipus // needed

    def accumulation_steps(self):
        return (self._pipelining if self.is_pipelined() else self._accumulation) or 1

    def check_accumulation(self, execution):
        """The rules of accumulation before a training."""
        if self.is_pipelined() and self._pipelining is None:
            raise ValueError(f"The model {self.name} is pipelined, so it needs gradient_accumulation_steps_per_replica: set it with "
                             "set_pipelining_options.")
        steps = self.accumulation_steps()
        if execution % steps:
            raise RuntimeError(f"The model {self.name} has steps_per_execution={execution} and gradient_accumulation_steps_per_replica="
                               f"{steps}: steps_per_execution must be divisible by the accumulation steps.")

    def ipu_fields(self, training):
        """The fields of a project that these options set."""
        if not self.on_ipu():
            return {}
        fields = dict(self._queue_fields)
        pipelined = self.is_pipelined()
        own = self._pipelining_fields if pipelined else self._accumulation_fields
        if training:
            fields.update(own)
            fields["training.gradient_accumulation_steps"] = self.accumulation_steps()
        else:
            fields.update({name: value for name, value in own.items()
                           if name in ("training.device_mapping", "training.pipeline_schedule")})
        return fields


def _checked_steps(steps, before):
    if steps is None:
        return before
    if not hasattr(steps, "__index__") or isinstance(steps, bool) or steps.__index__() < 1:
        raise ValueError(f"gradient_accumulation_steps_per_replica is {steps!r}; it must be an integer of 1 or more.")
    return steps.__index__()


def _fields_of(where, kwargs, known):
    fields = {}
    for name, value in kwargs.items():
        if name not in known:
            raise TypeError(f"{where} got an unexpected keyword argument '{name}'.{nearest(name, known)}")
        if value is not None:
            fields[_PIPELINING_FIELDS[name]] = bool(value)
    return fields


def _check_sequential(layers, stages):
    if stages and stages[0] != 0:
        raise ValueError(f"The first layer of a Sequential must be in stage 0; {layers[0].name} is in stage {stages[0]}.")
    for layer, before, stage in zip(layers[1:], stages, stages[1:]):
        if stage not in (before, before + 1):
            raise ValueError(f"The layer {layer.name} is in stage {stage} after stage {before}: the next layer of a Sequential must be in "
                             "the same stage or in the next one.")


def _check_no_gap(stages):
    empty = sorted(set(range(max(stages) + 1)) - set(stages)) if stages else []
    if empty:
        raise RuntimeError(f"The stages {empty} have no layer: every stage from 0 to {max(stages)} needs one.")
