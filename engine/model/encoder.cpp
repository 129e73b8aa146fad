#include "engine/model/encoder.h"

namespace tilewright::model {

void appendLayer(Model &model, Layer layer, std::vector<std::string> const &from)
{
    Call call;
    for (auto const &name : from) call.inputs.push_back({name, 0, 0});
    layer.calls.push_back(std::move(call));
    model.layers.push_back(std::move(layer));
}

std::string appendEncoderBlock(Model &model, EncoderBlock const &block, std::string const &prefix, std::string const &x)
{
    auto const append = [&](std::string const &className, std::string const &name, Json config, std::vector<std::string> const &from) {
        if (block.dtype != "float32") config["dtype"] = block.dtype;
        auto layer = makeLayer(className, prefix + name, std::move(config));
        layer.stage = block.stage;
        appendLayer(model, std::move(layer), from);
        return prefix + name;
    };
    Json const norm{{"epsilon", block.epsilon}};
    auto const attention =
        append("MultiHeadAttention", "attention", {{"num_heads", block.heads}, {"key_dim", block.width / block.heads}}, {x, x});
    auto const attended = append("LayerNormalization", "attended_norm", norm, {append("Add", "attended", Json::object(), {x, attention})});
    auto const inner = append("Dense", "dense", {{"units", block.inner}, {"activation", block.activation}}, {attended});
    auto const outer = append("Dense", "dense_out", {{"units", block.width}}, {inner});
    return append("LayerNormalization", "norm", norm, {append("Add", "sum", Json::object(), {attended, outer})});
}

} // namespace tilewright::model
