"""The configuration functions of SDK 1.x, as forms of today's IPUConfig. Each returns a new configuration."""

from tilewright.ipu.config import IPUConfig
from tilewright.ipu.enums import StochasticRoundingBehaviour
from tilewright.missing import nearest
from tilewright.tf.log import warn

_FP = "floating_point_behaviour."
_OPT = "optimizations."

#: function -> argument -> option of today; "" where nothing corresponds any more.
_ARGUMENTS = {
    "create_ipu_config": {
        "max_cross_replica_sum_buffer_size": _OPT + "maximum_cross_replica_sum_buffer_size",
        "max_inter_ipu_copies_buffer_size": _OPT + "maximum_inter_ipu_copies_buffer_size",
        "max_scheduler_lookahead_depth": "scheduling.maximum_scheduler_lookahead_depth",
        "max_scheduler_search_space_size": "scheduling.maximum_scheduler_search_space_size",
        "prefetch_data_streams": _OPT + "prefetch_data_streams", "selection_order": "selection_order",
        "merge_infeed_io_copies": _OPT + "merge_infeed_io_copies",
        "always_rearrange_copies_on_the_host": "experimental.always_rearrange_copies_on_the_host",
        "enable_experimental_remote_buffer_embedding": "experimental.enable_remote_buffer_embedding",
        **dict.fromkeys("profiling enable_ipu_events use_poplar_text_report use_poplar_cbor_report profile_execution report_directory "
                        "enable_poplar_serialized_graph report_every_nth_execution max_report_size scheduler_selection "
                        "disable_graph_convolution_caching disable_graph_outlining retain_control_dependencies".split(), ""),
    },
    "set_optimization_options": {
        "combine_embedding_lookups": _OPT + "combine_embedding_lookups", "combine_matmuls": _OPT + "combine_matmuls",
        "max_cross_replica_sum_buffer_size": _OPT + "maximum_cross_replica_sum_buffer_size",
        "max_reduce_scatter_buffer_size": _OPT + "maximum_reduce_scatter_buffer_size",
        "max_inter_ipu_copies_buffer_size": _OPT + "maximum_inter_ipu_copies_buffer_size",
        "max_send_recv_cluster_size": _OPT + "maximum_send_recv_cluster_size",
        "minimum_remote_tensor_size": _OPT + "minimum_remote_tensor_size", "gather_simplifier": _OPT + "enable_gather_simplifier",
        "triangular_solve_expander_block_size": _OPT + "triangular_solve_expander_block_size", "enable_fast_math": _OPT + "math.fast"},
    "set_norm_options": {"use_stable_statistics": "norms.use_stable_statistics"},
    "set_convolution_options": {"convolution_options": "convolutions.poplar_options"},
    "set_pooling_options": {"pooling_options": "pooling.poplar_options"},
    "set_matmul_options": {"matmul_options": "matmuls.poplar_options", "clear_pass_type": "matmuls.clear_pass_type"},
    "set_compilation_options": {"compilation_options": "compilation_poplar_options"},
    "set_recomputation_options": {"allow_recompute": "allow_recompute", "allow_stateful_recompute": ""},
    "set_floating_point_behaviour_options": {name: _FP + name for name in ("inv", "div0", "oflo", "esr", "nanoo")},
    "set_gcl_options": {"num_io_tiles": "io_tiles.num_io_tiles", "gcl_options": "gcl_poplar_options"},
    "set_serialization_options": {"output_folder": "serialization_output_folder"},
    "set_ipu_model_options": {"compile_ipu_code": "ipu_model.compile_ipu_code", "tiles_per_ipu": "ipu_model.tiles_per_ipu"},
    "set_ipu_connection_type": {"connection_type": "device_connection.type", "ipu_version": "device_connection.version"},
    "auto_select_ipus": {"num_ipus": "auto_select_ipus"},
    "select_ipus": {"indices": "select_ipus"},
}
#: Arguments that were on without being named.
_ON = {"set_floating_point_behaviour_options": {name: True for name in ("inv", "div0", "oflo", "esr", "nanoo")},
       "set_recomputation_options": {"allow_recompute": True}}


def _changed(function, config, args, kwargs):
    arguments = _ARGUMENTS[function]
    names = list(arguments)
    if len(args) > len(names):
        raise TypeError(f"{function} takes {len(names)} arguments, but {len(args)} were given.")
    given = {**_ON.get(function, {}), **dict(zip(names, args)), **kwargs}
    result = IPUConfig()
    result.from_dict(config.to_dict())
    for name, value in given.items():
        if name not in arguments:
            raise TypeError(f"{function} got an unexpected keyword argument '{name}'.{nearest(name, names)}")
        if not arguments[name]:
            warn(f"The argument {name} of {function} was removed: it has no effect. Tilewright writes its reports itself.")
        elif value is not None:
            if name == "esr":
                value = StochasticRoundingBehaviour.from_bool(value)
            result._set(arguments[name], value)
    return result


def _setter(name):
    def function(opts, *args, **kwargs):
        return _changed(name, opts, args, kwargs)
    function.__name__ = name
    function.__doc__ = f"{name} of SDK 1.x: a changed copy of the configuration."
    return function


def create_ipu_config(*args, **kwargs):
    """create_ipu_config of SDK 1.x: a new configuration."""
    return _changed("create_ipu_config", IPUConfig(), args, kwargs)


globals().update({name: _setter(name) for name in _ARGUMENTS if name != "create_ipu_config"})
