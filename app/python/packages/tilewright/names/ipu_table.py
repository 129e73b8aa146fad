"""What the modules of tensorflow.python.ipu show: (implementing module, names; a renamed one as shown=inner)."""

_CONFIG = ("tilewright.ipu.config", "IPUConfig configure_ipu_system reset_ipu_configuration get_ipu_config SelectionOrder "
                                    "ExecutionProfileType DeviceConnectionType MergeRemoteBuffersBehaviour SchedulingAlgorithm "
                                    "StochasticRoundingBehaviour")

IPU = {
    "ipu": [],
    "ipu.config": [_CONFIG],
    "ipu.utils": [_CONFIG, ("tilewright.ipu.utils", "get_num_of_ipus_in_device running_on_ipu_model "
                                                    "move_variable_initialization_to_cpu"),
                  ("tilewright.ipu.old_config", "create_ipu_config auto_select_ipus select_ipus set_optimization_options set_norm_options "
                                                "set_convolution_options set_pooling_options set_matmul_options set_gcl_options "
                                                "set_compilation_options set_recomputation_options set_serialization_options "
                                                "set_floating_point_behaviour_options set_ipu_model_options set_ipu_connection_type")],
    "ipu.ipu_strategy": [("tilewright.ipu.strategy", "IPUStrategy IPUStrategyV1=IPUStrategy")],
    "ipu.ipu_outfeed_queue": [("tilewright.ipu.queues", "IPUOutfeedQueue IPUOutfeedMode")],
    "ipu.ipu_infeed_queue": [("tilewright.ipu.queues", "IPUInfeedQueue")],
    "ipu.serving": [("tilewright.ipu.serving", "export_single_step export_pipeline export_keras")],
    "ipu.ipu_estimator": [("tilewright.ipu.estimator", "IPUEstimator")],
    "ipu.ipu_run_config": [("tilewright.ipu.estimator", "RunConfig IPURunConfig")],
    "ipu.loops": [("tilewright.trace.loops", "repeat")],
    "ipu.scopes": [("tilewright.ipu.scopes", "ipu_scope")],
    "ipu.ops.pipelining_ops": [("tilewright.ipu.enums", "PipelineSchedule RecomputationMode")],
    "ipu.distributed.popdist_strategy": [("tilewright.ipu.popdist", "PopDistStrategy")],
    "popdist": [("tilewright.ipu.popdist", "init isPopdistEnvSet getInstanceIndex getNumInstances getNumTotalReplicas "
                                           "getNumLocalReplicas getNumIpusPerReplica")],
    "popdist.tensorflow": [("tilewright.ipu.popdist", "set_ipu_config")],
    "ipu.gradient_accumulation": [("tilewright.ipu.enums", "GradientAccumulationReductionMethod")],
}
