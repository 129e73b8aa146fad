"""What the modules of tensorflow show: (implementing module, names; a renamed one as shown=inner)."""

_FUNCTIONS = "tilewright.tf.functions"
_DTYPES = ("tilewright.tf.dtypes", "DType as_dtype float16 half float32 float64 double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
                                   "bool=bool_ complex64 complex128 string")
_MATH = ("abs negative sign square sqrt rsqrt exp expm1 log log1p floor ceil round sin cos tan asin acos atan sinh cosh tanh asinh acosh "
         "atanh sigmoid softplus softsign erf reciprocal logical_not is_nan is_inf is_finite add subtract multiply divide floordiv "
         "floormod pow maximum minimum squared_difference divide_no_nan atan2 equal not_equal less less_equal greater greater_equal "
         "logical_and logical_or logical_xor truediv mod add_n reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_all "
         "reduce_any reduce_std reduce_variance reduce_logsumexp argmax argmin cumsum top_k")
_ROOT = ("constant zeros ones fill zeros_like ones_like eye range linspace identity stop_gradient cast shape size rank reshape transpose "
         "expand_dims squeeze concat stack unstack split tile broadcast_to pad slice gather gather_nd boolean_mask scatter_nd "
         "tensor_scatter_nd_add tensor_scatter_nd_update one_hot reverse roll repeat sort argsort abs negative sign square sqrt exp "
         "floor round sin cos tan asin acos atan sinh cosh tanh sigmoid logical_not add subtract multiply divide pow maximum minimum "
         "equal not_equal less less_equal greater greater_equal logical_and logical_or truediv add_n reduce_sum reduce_mean reduce_max "
         "reduce_min reduce_prod reduce_all reduce_any reduce_logsumexp argmax argmin cumsum matmul tensordot einsum norm "
         "clip_by_value where no_op is_tensor executing_eagerly newaxis")

TENSORFLOW = {
    "tensorflow": [
        _DTYPES, (_FUNCTIONS, _ROOT), ("tilewright.tf.tensor", "Tensor convert_to_tensor"), ("tilewright.tf.variable", "Variable"),
        ("tilewright.tf.shapes", "TensorShape"), ("tilewright.tf.specs", "TensorSpec"), ("tilewright.tf.device", "device name_scope"),
        ("tilewright.tf.log", "get_logger"), ("tilewright.trace.function", "function"), ("tilewright.trace.tape", "GradientTape"),
        ("tilewright.trace.loops", "cond while_loop"),
        ("tilewright.keras.initializers", "zeros_initializer=Zeros ones_initializer=Ones constant_initializer=Constant "
                                          "random_normal_initializer=RandomNormal random_uniform_initializer=RandomUniform"),
    ],
    "tensorflow.dtypes": [_DTYPES, (_FUNCTIONS, "cast")],
    "tensorflow.math": [(_FUNCTIONS, _MATH + " softmax log_softmax l2_norm=norm")],
    "tensorflow.linalg": [(_FUNCTIONS, "matmul norm eye tensordot einsum")],
    "tensorflow.nn": [(_FUNCTIONS, "relu relu6 elu selu leaky_relu gelu swish silu=swish sigmoid tanh softplus softsign softmax "
                                   "log_softmax bias_add softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits top_k")],
    "tensorflow.random": [("tilewright.tf.random", "set_seed uniform normal truncated_normal shuffle")],
    "tensorflow.estimator": [("tilewright.ipu.estimator", "EstimatorSpec ModeKeys")],
    "tensorflow.compat.v1.train": [("tilewright.ipu.estimator", "GradientDescentOptimizer")],
    "tensorflow.compat.v1.metrics": [("tilewright.ipu.estimator", "accuracy")],
    "tensorflow.summary": [("tilewright.tf.summary", "create_file_writer create_noop_writer scalar histogram image text flush SummaryWriter")],
    "tensorflow.summary.experimental": [("tilewright.tf.summary", "set_step get_step")],
    "tensorflow.experimental": [],
    "tensorflow.experimental.numpy": [("tilewright.tf.numpy_functions", "vsplit hsplit dsplit vstack hstack dstack")],
    "tensorflow.nest": [("tilewright.tf.nest", "flatten pack_sequence_as map_structure assert_same_structure is_nested")],
    "tensorflow.errors": [("tilewright.tf.errors", "OpError CancelledError UnknownError InvalidArgumentError DeadlineExceededError "
                                                   "NotFoundError AlreadyExistsError PermissionDeniedError ResourceExhaustedError "
                                                   "FailedPreconditionError AbortedError OutOfRangeError UnimplementedError "
                                                   "InternalError UnavailableError DataLossError UnauthenticatedError "
                                                   "InaccessibleTensorError OperatorNotAllowedInGraphError")],
    "tensorflow.data": [("tilewright.tf.data", "Dataset Iterator Options AUTOTUNE INFINITE_CARDINALITY UNKNOWN_CARDINALITY")],
    "tensorflow.config": [("tilewright.tf.device", "list_physical_devices list_logical_devices")],
    "tensorflow.config.experimental": [("tilewright.tf.device", "list_physical_devices list_logical_devices")],
}
