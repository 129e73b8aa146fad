"""The enumerations of the configuration and of pipelines."""

import enum


class SelectionOrder(enum.Enum):
    AUTO, ZIGZAG, SNAKE, HOOF = range(4)


class ExecutionProfileType(enum.Enum):
    NO_PROFILE, DEVICE_PROFILE, IPU_PROFILE, TILE_PROFILE = range(4)


class DeviceConnectionType(enum.Enum):
    ALWAYS, ON_DEMAND, PRE_COMPILE, NEVER = range(4)


class MergeRemoteBuffersBehaviour(enum.Enum):
    NO_MERGING, MERGE, IF_BENEFICIAL = range(3)


class SchedulingAlgorithm(enum.Enum):
    CHOOSE_BEST, CLUSTERING, POST_ORDER, LOOK_AHEAD, SHORTEST_PATH = range(5)


class StochasticRoundingBehaviour(enum.Enum):
    OFF, ON, REPLICA_IDENTICAL_ONLY = range(3)

    @classmethod
    def from_bool(cls, value):
        return cls.ON if value else cls.OFF


class PipelineSchedule(enum.IntEnum):
    Grouped, Interleaved, Sequential = range(3)


class RecomputationMode(enum.Enum):
    Auto = "auto"
    RecomputeThenBackpropagate = "recompute_then_backpropagate"
    RecomputeAndBackpropagateInterleaved = "recompute_and_backpropagate_interleaved"


class GradientAccumulationReductionMethod(enum.Enum):
    SUM, MEAN, RUNNING_MEAN = range(3)

    @classmethod
    def parse(cls, value):
        """A method from itself or from its name in any case."""
        if isinstance(value, cls):
            return value
        try:
            return cls[str(value).upper()]
        except KeyError:
            raise ValueError(f"{value!r} is no reduction method of gradient accumulation. Choose SUM, MEAN or RUNNING_MEAN.") from None


#: The enumeration of each option that has one.
OF_OPTION = {
    "selection_order": SelectionOrder,
    "optimizations.merge_remote_buffers": MergeRemoteBuffersBehaviour,
    "scheduling.algorithm": SchedulingAlgorithm,
    "floating_point_behaviour.esr": StochasticRoundingBehaviour,
    "device_connection.type": DeviceConnectionType,
}
