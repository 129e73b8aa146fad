#include "engine/interop/keras1.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::interop {

using model::Json;

namespace {

using Names = std::map<std::string, std::string, std::less<>>;

/// Class names of Keras 1 that have another name.
Names const &classNames()
{
    static Names const all{{"Convolution1D", "Conv1D"},
                           {"Convolution2D", "Conv2D"},
                           {"Convolution3D", "Conv3D"},
                           {"AtrousConvolution1D", "Conv1D"},
                           {"AtrousConvolution2D", "Conv2D"},
                           {"SeparableConvolution2D", "SeparableConv2D"},
                           {"Deconvolution2D", "Conv2DTranspose"},
                           {"Deconvolution3D", "Conv3DTranspose"},
                           {"TimeDistributedDense", "Dense"}};
    return all;
}

std::set<std::string_view> const &recurrentClasses()
{
    static std::set<std::string_view> const all{"SimpleRNN", "LSTM", "GRU"};
    return all;
}

/// Arguments with another name, of every class that has them.
Names const &commonArguments()
{
    static Names const all{{"init", "kernel_initializer"},
                           {"W_regularizer", "kernel_regularizer"},
                           {"b_regularizer", "bias_regularizer"},
                           {"U_regularizer", "recurrent_regularizer"},
                           {"W_constraint", "kernel_constraint"},
                           {"b_constraint", "bias_constraint"},
                           {"bias", "use_bias"},
                           {"border_mode", "padding"},
                           {"nb_filter", "filters"},
                           {"filter_length", "kernel_size"},
                           {"subsample", "strides"},
                           {"subsample_length", "strides"},
                           {"atrous_rate", "dilation_rate"},
                           {"pool_length", "pool_size"},
                           {"inner_init", "recurrent_initializer"},
                           {"inner_activation", "recurrent_activation"},
                           {"dropout_W", "dropout"},
                           {"dropout_U", "recurrent_dropout"},
                           {"beta_init", "beta_initializer"},
                           {"gamma_init", "gamma_initializer"}};
    return all;
}

/// Arguments whose name depends on the class.
Names const &argumentsOf(std::string_view className)
{
    static Names const none;
    static Names const units{{"output_dim", "units"}};
    static Names const rate{{"p", "rate"}};
    static Names const deviation{{"sigma", "stddev"}};
    static Names const embedding{
        {"init", "embeddings_initializer"}, {"W_regularizer", "embeddings_regularizer"}, {"W_constraint", "embeddings_constraint"}};
    static Names const alpha{{"init", "alpha_initializer"}};
    static Names const size{{"length", "size"}};
    static Names const pooling{{"stride", "strides"}};
    static std::map<std::string, Names const *, std::less<>> const all{{"Dense", &units},
                                                                       {"LSTM", &units},
                                                                       {"GRU", &units},
                                                                       {"SimpleRNN", &units},
                                                                       {"Dropout", &rate},
                                                                       {"GaussianDropout", &rate},
                                                                       {"AlphaDropout", &rate},
                                                                       {"SpatialDropout1D", &rate},
                                                                       {"SpatialDropout2D", &rate},
                                                                       {"SpatialDropout3D", &rate},
                                                                       {"GaussianNoise", &deviation},
                                                                       {"Embedding", &embedding},
                                                                       {"PReLU", &alpha},
                                                                       {"UpSampling1D", &size},
                                                                       {"MaxPooling1D", &pooling},
                                                                       {"AveragePooling1D", &pooling}};
    auto const found = all.find(className);
    return found == all.end() ? none : *found->second;
}

/// {"name": "WeightRegularizer", "l1": 0, "l2": 0.01} and {"name": "MaxNorm", "m": 2, "axis": 0}.
void modernizePenalty(Json &penalty)
{
    if (!penalty.is_object() || !penalty.contains("name") || penalty.contains("class_name")) return;
    auto const name = penalty["name"].is_string() ? penalty["name"].get<std::string>() : std::string();
    Json config = penalty;
    config.erase("name");
    if (config.contains("m")) {
        config["max_value"] = config["m"];
        config.erase("m");
    }
    penalty =
        Json{{"class_name", name == "WeightRegularizer" || name == "ActivityRegularizer" ? "L1L2" : name}, {"config", std::move(config)}};
}

void rename(Json &config, std::string const &from, std::string const &to)
{
    auto const found = config.find(from);
    if (found == config.end() || config.contains(to)) return;
    config[to] = *found;
    config.erase(from);
}

/// nb_row, nb_col or kernel_dim1 … become one list.
void gather(Json &config, std::vector<std::string> const &parts, std::string const &to)
{
    if (!std::ranges::all_of(parts, [&](auto const &part) { return config.contains(part); })) return;
    Json list = Json::array();
    for (auto const &part : parts) {
        list.push_back(config[part]);
        config.erase(part);
    }
    config[to] = std::move(list);
}

void modernizeMerge(Json &layer, Json &config)
{
    static std::map<std::string, std::string, std::less<>> const classes{{"sum", "Add"},     {"mul", "Multiply"},       {"ave", "Average"},
                                                                         {"max", "Maximum"}, {"concat", "Concatenate"}, {"dot", "Dot"},
                                                                         {"cos", "Dot"}};
    auto const mode = config.contains("mode") && config["mode"].is_string() ? config["mode"].get<std::string>() : std::string();
    auto const to = classes.find(mode);
    // A function as its mode, or branches inside a Sequential: nothing of Keras 2 stands for it.
    if (to == classes.end() || (config.contains("layers") && !config["layers"].empty())) return;
    Json kept = Json::object();
    if (config.contains("name")) kept["name"] = config["name"];
    if (mode == "concat") kept["axis"] = config.value("concat_axis", Json(-1));
    if (mode == "dot" || mode == "cos") {
        auto axes = config.value("dot_axes", Json(-1));
        // [[1], [2]] is a pair of lists in early files.
        if (axes.is_array())
            for (auto &axis : axes)
                if (axis.is_array() && axis.size() == 1) axis = Json(axis[0]);
        kept["axes"] = std::move(axes);
        kept["normalize"] = mode == "cos";
    }
    layer["class_name"] = to->second;
    config = std::move(kept);
}

bool isOfKeras1(std::string const &className, Json const &config)
{
    static std::set<std::string_view> const unknownToKeras2{"init",          "nb_filter",    "nb_row",           "nb_col",
                                                            "border_mode",   "subsample",    "subsample_length", "filter_length",
                                                            "dim_ordering",  "inner_init",   "inner_activation", "W_regularizer",
                                                            "b_regularizer", "W_constraint", "b_constraint",     "p",
                                                            "sigma",         "pool_length",  "beta_init",        "gamma_init",
                                                            "kernel_dim1",   "consume_less", "dropout_W"};
    if (classNames().contains(className)) return true;
    return std::ranges::any_of(config.items(), [](auto const &item) { return unknownToKeras2.contains(item.key()); })
        || (className == "Dense" && config.contains("output_dim"));
}

/// Arguments of later versions at the value that Keras 2.6 has built in.
void dropIdle(std::string const &className, Json &config)
{
    // A layer inside a wrapper has the wrapper's type.
    if (auto const type = config.find("dtype"); type != config.end() && type->is_null()) config.erase(type);
    if (className.ends_with("Attention") && config.contains("score_mode") && config["score_mode"] == "dot") config.erase("score_mode");
}

void modernizeConfig(std::string const &className, Json &config)
{
    for (auto const &[from, to] : argumentsOf(className)) rename(config, from, to);
    for (auto const &[from, to] : commonArguments()) rename(config, from, to);
    gather(config, {"nb_row", "nb_col"}, "kernel_size");
    gather(config, {"kernel_dim1", "kernel_dim2", "kernel_dim3"}, "kernel_size");
    if (auto const order = config.find("dim_ordering"); order != config.end()) {
        if (*order == "th") config["data_format"] = "channels_first";
        else if (*order == "tf") config["data_format"] = "channels_last";
        config.erase("dim_ordering");
    }
    if (recurrentClasses().contains(className)) {
        if (auto const bias = config.find("forget_bias_init"); bias != config.end()) {
            config["unit_forget_bias"] = *bias == "one";
            config.erase("forget_bias_init");
        }
        // Keras 1 applies no reset after the product and has one bias.
        if (className == "GRU") config["reset_after"] = false;
        config.erase("consume_less");
    }
    if (className != "Embedding") // batch_input_shape says it
        for (auto const *size : {"input_dim", "input_length"}) config.erase(size);
    if (className == "Embedding" && config.contains("dropout") && config["dropout"] == 0.0) config.erase("dropout");
    // Mode 2 differs only in what a shared layer learns.
    if (className == "BatchNormalization" && config.contains("mode") && (config["mode"] == 0 || config["mode"] == 2)) config.erase("mode");
    if (className == "Conv2DTranspose" || className == "Conv3DTranspose") config.erase("output_shape");
    config.erase("weights");
    for (auto &[key, value] : config.items())
        if (key.ends_with("_regularizer") || key.ends_with("_constraint")) modernizePenalty(value);
}

/// The first `dim_ordering` in the document, or null: UpSampling2D and others of early versions do not write theirs.
Json orderOf(Json const &json)
{
    if (json.is_object())
        if (auto const order = json.find("dim_ordering"); order != json.end() && order->is_string() && *order != "default") return *order;
    if (json.is_structured())
        for (auto const &member : json)
            if (auto order = orderOf(member); !order.is_null()) return order;
    return {};
}

bool hasOrder(std::string const &className) { return className.ends_with("2D") || className.ends_with("3D"); }

void modernizeLayer(Json &layer, Json const &order);

void modernizeModel(Json &config, Json const &order)
{
    auto &layers = config.is_object() && config.contains("layers") ? config["layers"] : config;
    if (!layers.is_array()) return;
    for (auto &layer : layers) modernizeLayer(layer, order);
}

void modernizeLayer(Json &layer, Json const &order)
{
    if (!layer.is_object() || !layer.contains("config") || !layer.contains("class_name") || !layer["class_name"].is_string()) return;
    auto const className = layer["class_name"].get<std::string>();
    auto &config = layer["config"];
    if (className == "Sequential" || className == "Model" || className == "Functional") return modernizeModel(config, order);
    if (!config.is_object()) return;
    if (config.contains("layer")) modernizeLayer(config["layer"], order); // a wrapper
    dropIdle(className, config);
    if (!order.is_null() && hasOrder(className) && !config.contains("dim_ordering")) config["dim_ordering"] = order;
    if (className == "Merge") return modernizeMerge(layer, config);
    if (!isOfKeras1(className, config)) return;
    auto const renamed = classNames().find(className);
    auto const &now = renamed == classNames().end() ? className : renamed->second;
    modernizeConfig(now, config);
    layer["class_name"] = now;
}

} // namespace

void modernizeKeras(Json &model) { modernizeLayer(model, orderOf(model)); }

} // namespace tilewright::interop
