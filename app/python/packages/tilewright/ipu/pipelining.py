"""Stages of pipelines: the scope that sets them, and the list that assigns them."""

from tilewright.ipu.strategy import current_strategy

_open = []


def current_stage():
    """The stage of the scope that is open; None outside."""
    return _open[-1] if _open else None


class PipelineStage:
    """Layers made, or called, in this scope belong to a stage."""

    def __init__(self, stage):
        if not isinstance(stage, int) or isinstance(stage, bool):
            raise TypeError(f"PipelineStage takes the number of a stage, not {stage!r}.")
        if stage < 0:
            raise ValueError(f"PipelineStage({stage}): the number of a stage must be 0 or more.")
        self._stage = stage

    def __enter__(self):
        if current_strategy() is None:
            raise RuntimeError("PipelineStage may only be used in the scope of an IPUStrategy.")
        if _open:
            raise RuntimeError(f"PipelineStage({self._stage}) is inside PipelineStage({_open[-1]}): stages cannot be nested.")
        _open.append(self._stage)
        return self

    def __exit__(self, *error):
        _open.pop()


class StageAssignment:
    """The stage of one call of a layer."""

    def __init__(self, layer, node_index, inbound_layers, pipeline_stage=None):
        self.layer, self.node_index, self.inbound_layers, self.pipeline_stage = layer, node_index, inbound_layers, pipeline_stage

    def __repr__(self):
        return f"Layer: {self.layer.name} (node index {self.node_index}), pipeline stage: {self.pipeline_stage}"

    __str__ = __repr__


class FunctionalLayerPipelineStageAssignment(StageAssignment):
    """Of a call in a functional model."""


class SequentialLayerPipelineStageAssignment(StageAssignment):
    """Of a layer in a Sequential."""
