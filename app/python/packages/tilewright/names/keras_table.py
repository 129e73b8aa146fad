"""What the modules of keras and of the addons show: (implementing module, names; a renamed one as shown=inner)."""

_LAYERS = ("Layer Input InputLayer Lambda Dense Activation Dropout SpatialDropout1D SpatialDropout2D SpatialDropout3D GaussianNoise "
           "GaussianDropout AlphaDropout ActivityRegularization Masking Flatten Reshape Permute RepeatVector Embedding Cropping1D "
           "Cropping2D Cropping3D ZeroPadding1D ZeroPadding2D ZeroPadding3D UpSampling1D UpSampling2D UpSampling3D ReLU LeakyReLU ELU "
           "ThresholdedReLU PReLU Softmax LSTM GRU SimpleRNN ConvLSTM1D ConvLSTM2D ConvLSTM3D Bidirectional TimeDistributed Add "
           "Subtract Multiply Average Maximum Minimum Concatenate Dot Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose "
           "Conv3DTranspose SeparableConv1D SeparableConv2D DepthwiseConv2D MaxPooling1D MaxPooling2D MaxPooling3D AveragePooling1D "
           "AveragePooling2D AveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GlobalAveragePooling1D "
           "GlobalAveragePooling2D GlobalAveragePooling3D BatchNormalization LayerNormalization Attention AdditiveAttention "
           "MultiHeadAttention MaxPool1D MaxPool2D MaxPool3D AvgPool1D AvgPool2D AvgPool3D Convolution1D Convolution2D Convolution3D "
           "GlobalAvgPool1D GlobalAvgPool2D GlobalMaxPool1D GlobalMaxPool2D Deconvolution2D Convolution2DTranspose")
_LOSSES = ("Loss Reduction losses_utils MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError Huber "
           "LogCosh Hinge SquaredHinge CategoricalHinge Poisson KLDivergence CosineSimilarity BinaryCrossentropy "
           "CategoricalCrossentropy SparseCategoricalCrossentropy mean_squared_error mean_absolute_error "
           "mean_absolute_percentage_error mean_squared_logarithmic_error huber log_cosh hinge squared_hinge categorical_hinge poisson "
           "kl_divergence cosine_similarity binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy mse mae mape "
           "msle kld MSE MAE MAPE MSLE KLD logcosh kullback_leibler_divergence get")
_METRICS = ("Metric Accuracy BinaryAccuracy CategoricalAccuracy SparseCategoricalAccuracy TopKCategoricalAccuracy "
            "SparseTopKCategoricalAccuracy MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError "
            "BinaryCrossentropy CategoricalCrossentropy SparseCategoricalCrossentropy Hinge SquaredHinge CategoricalHinge Poisson "
            "KLDivergence LogCoshError CosineSimilarity get RootMeanSquaredError MeanRelativeError Mean Sum TruePositives "
            "TrueNegatives FalsePositives FalseNegatives Precision Recall SensitivityAtSpecificity SpecificityAtSensitivity "
            "PrecisionAtRecall RecallAtPrecision AUC MeanIoU MeanMetricWrapper")
_INITIALIZERS = ("Initializer Zeros Ones Constant RandomUniform RandomNormal TruncatedNormal VarianceScaling GlorotUniform GlorotNormal "
                 "HeUniform HeNormal LecunUniform LecunNormal Orthogonal Identity zeros ones constant random_uniform random_normal "
                 "truncated_normal variance_scaling glorot_uniform glorot_normal he_uniform he_normal lecun_uniform lecun_normal "
                 "orthogonal identity get serialize")
_ACTIVATIONS = ("linear relu sigmoid tanh softplus softsign softmax exponential elu selu gelu swish hard_sigmoid get serialize")
_ADDONS = ("Embedding LSTM GRU Dropout LayerNormalization GroupNormalization InstanceNormalization RecomputationCheckpoint PopnnLSTM "
           "PopnnGRU")

KERAS = {
    "keras": [("tilewright.keras.models", "Model Sequential"), ("tilewright.keras.layers", "Input")],
    "keras.models": [("tilewright.keras.models", "Model Sequential Functional=Model"), ("tilewright.keras.saving", "save_model")],
    "keras.layers": [("tilewright.keras.layers", _LAYERS)],
    "keras.losses": [("tilewright.keras.losses", _LOSSES)],
    "keras.metrics": [("tilewright.keras.metrics", _METRICS), ("tilewright.keras.losses",
                      "mean_squared_error mean_absolute_error binary_crossentropy categorical_crossentropy "
                      "sparse_categorical_crossentropy")],
    "keras.optimizers": [("tilewright.keras.optimizers", "Optimizer OptimizerV2 SGD RMSprop Adam Nadam Adamax Adagrad Adadelta Ftrl get "
                                                         "serialize deserialize")],
    "keras.optimizers.schedules": [("tilewright.keras.schedules", "LearningRateSchedule ExponentialDecay InverseTimeDecay "
                                                                  "PolynomialDecay CosineDecay CosineDecayRestarts "
                                                                  "PiecewiseConstantDecay")],
    "keras.callbacks": [("tilewright.keras.callbacks", "Callback CallbackList ProgbarLogger History BaseLogger EarlyStopping "
                                                       "ReduceLROnPlateau LearningRateScheduler ModelCheckpoint CSVLogger "
                                                       "TerminateOnNaN LambdaCallback"),
                        ("tilewright.keras.tensorboard", "TensorBoard")],
    "keras.applications": [("tilewright.keras.resnet", "ResNet50 ResNet101 ResNet152")],
    "keras.applications.resnet": [("tilewright.keras.resnet", "ResNet50 ResNet101 ResNet152")],
    "keras.applications.resnet50": [("tilewright.keras.resnet", "ResNet50")],
    "keras.initializers": [("tilewright.keras.initializers", _INITIALIZERS)],
    "keras.regularizers": [("tilewright.keras.penalties", "Regularizer L1 L2 L1L2 l1 l2 l1_l2 OrthogonalRegularizer get=get_regularizer")],
    "keras.constraints": [("tilewright.keras.penalties", "Constraint MaxNorm NonNeg UnitNorm MinMaxNorm RadialConstraint max_norm non_neg "
                                                         "unit_norm min_max_norm get=get_constraint")],
    "keras.activations": [("tilewright.keras.activations", _ACTIVATIONS)],
    "keras.datasets": [("tilewright.keras.datasets", "mnist cifar10 imdb")],
    "keras.datasets.mnist": [("tilewright.keras.datasets", "load_data=mnist.load_data")],
    "keras.datasets.cifar10": [("tilewright.keras.datasets", "load_data=cifar10.load_data")],
    "keras.datasets.imdb": [("tilewright.keras.datasets", "load_data=imdb.load_data")],
    "keras.utils": [("tilewright.keras.utils", "to_categorical normalize set_random_seed"), ("tilewright.keras.progress", "Progbar")],
    "keras.preprocessing.sequence": [("tilewright.keras.utils", "pad_sequences")],
    "keras.backend": [("tilewright.keras.backend", "floatx set_floatx epsilon set_epsilon image_data_format clear_session get_value "
                                                   "set_value learning_phase constant")],
    "keras.mixed_precision": [("tilewright.keras.backend", "Policy set_global_policy global_policy")],
    "keras.engine.keras_tensor": [("tilewright.keras.engine.keras_tensor", "KerasTensor")],
    "keras.ipu": [("tilewright.ipu.pipelining", "PipelineStage FunctionalLayerPipelineStageAssignment "
                                                "SequentialLayerPipelineStageAssignment")],
    "keras.ipu.optimizers": [("tilewright.keras.loss_scaling", "ALSOptimizer")],
    "keras.ipu.layers": [("tilewright.keras.addons", "Embedding LSTM GRU Dropout LayerNormalization GroupNormalization"),
                         ("tilewright.keras.loss_scaling", "CaptureActivationGradients CaptureUpstreamGradients")],
    "ipu_tensorflow_addons.keras.layers": [("tilewright.keras.addons", _ADDONS)],
    "ipu_tensorflow_addons.keras.optimizers": [("tilewright.keras.optimizers", "AdamIpuOptimizer SGDIpuOptimizer LAMBIpuOptimizer")],
}
