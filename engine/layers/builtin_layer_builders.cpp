#include "engine/layers/layer_builder.h"

#include <algorithm>

namespace tilewright::layers {

std::span<LayerBuilder const> builtinLayerBuilders()
{
    static std::vector<LayerBuilder> const kBuilders{
        {"InputLayer", buildInput},
        {"Dense", buildDense},
        {"EinsumDense", buildEinsumDense},
        {"Activation", buildActivationLayer},
        {"Lambda", buildLambda},
        {"ReLU", buildActivationLayer},
        {"LeakyReLU", buildActivationLayer},
        {"ELU", buildActivationLayer},
        {"PReLU", buildPrelu},
        {"ThresholdedReLU", buildActivationLayer},
        {"Softmax", buildActivationLayer},
        {"ActivityRegularization", buildActivationLayer},
        {"Dropout", buildDropout},
        {"SpatialDropout1D", buildSpatialDropout},
        {"SpatialDropout2D", buildSpatialDropout},
        {"SpatialDropout3D", buildSpatialDropout},
        {"GaussianNoise", buildGaussianNoise},
        {"GaussianDropout", buildGaussianDropout},
        {"AlphaDropout", buildAlphaDropout},
        {"Masking", buildMasking},
        {"RecomputationCheckpoint", buildRecomputationCheckpoint},
        {"Flatten", buildReshape},
        {"Reshape", buildReshape},
        {"LSTM", buildRecurrent},
        {"GRU", buildRecurrent},
        {"SimpleRNN", buildRecurrent},
        {"RNN", buildRecurrent},
        {"ConvLSTM1D", buildRecurrent},
        {"ConvLSTM2D", buildRecurrent},
        {"ConvLSTM3D", buildRecurrent},
        {"Bidirectional", buildBidirectional},
        {"TimeDistributed", buildTimeDistributed},
        {"Permute", buildPermute},
        {"RepeatVector", buildRepeatVector},
        {"Embedding", buildEmbedding},
        {"Cropping1D", buildCropping},
        {"Cropping2D", buildCropping},
        {"Cropping3D", buildCropping},
        {"ZeroPadding1D", buildZeroPadding},
        {"ZeroPadding2D", buildZeroPadding},
        {"ZeroPadding3D", buildZeroPadding},
        {"UpSampling1D", buildUpSampling},
        {"UpSampling2D", buildUpSampling},
        {"UpSampling3D", buildUpSampling},
        {"Rescaling", buildRescaling},
        {"Normalization", buildNormalization},
        {"Resizing", buildResizing},
        {"CenterCrop", buildCenterCrop},
        {"Add", buildMerge},
        {"Subtract", buildMerge},
        {"Multiply", buildMerge},
        {"Average", buildMerge},
        {"Maximum", buildMerge},
        {"Minimum", buildMerge},
        {"Concatenate", buildConcatenate},
        {"Conv1D", buildConv},
        {"Conv2D", buildConv},
        {"Conv3D", buildConv},
        {"Conv1DTranspose", buildConv},
        {"Conv2DTranspose", buildConv},
        {"Conv3DTranspose", buildConv},
        {"SeparableConv1D", buildSeparableConv},
        {"SeparableConv2D", buildSeparableConv},
        {"DepthwiseConv2D", buildDepthwiseConv},
        {"LocallyConnected1D", buildLocallyConnected},
        {"LocallyConnected2D", buildLocallyConnected},
        {"MaxPooling1D", buildPooling},
        {"MaxPooling2D", buildPooling},
        {"MaxPooling3D", buildPooling},
        {"AveragePooling1D", buildPooling},
        {"AveragePooling2D", buildPooling},
        {"AveragePooling3D", buildPooling},
        {"GlobalMaxPooling1D", buildGlobalPooling},
        {"GlobalMaxPooling2D", buildGlobalPooling},
        {"GlobalMaxPooling3D", buildGlobalPooling},
        {"GlobalAveragePooling1D", buildGlobalPooling},
        {"GlobalAveragePooling2D", buildGlobalPooling},
        {"GlobalAveragePooling3D", buildGlobalPooling},
        {"BatchNormalization", buildBatchNormalization},
        {"LayerNormalization", buildLayerNormalization},
        {"GroupNormalization", buildGroupNormalization},
        {"InstanceNormalization", buildGroupNormalization},
        {"Dot", buildDot},
        {"Attention", buildAttention},
        {"AdditiveAttention", buildAttention},
        {"MultiHeadAttention", buildMultiHeadAttention},
        {"Operation", buildOperation},
    };
    return kBuilders;
}

LayerBuilder const *findLayerBuilder(std::string_view className)
{
    auto const all = builtinLayerBuilders();
    auto const it = std::ranges::find(all, className, &LayerBuilder::className);
    return it == all.end() ? nullptr : &*it;
}

Diagnostic buildError(BuildContext const &context, model::ResolvedCall const &call, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "layers.unsupported", context.layerOf(call).name, std::move(message), std::move(remedy));
}

} // namespace tilewright::layers
