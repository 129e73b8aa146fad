#!/usr/bin/python3
"""Makes the model files of this folder with h5py and numpy, as Keras lays them out. Run it here after a change; the build does not.

Weight i of a file holds 100 * i, 100 * i + 1, … in row-major order, so that a test knows every element.
"""
import json
import os
import struct
import zipfile

import h5py
import numpy as np


class Numbers:
    def __init__(self):
        self.count = 0

    def next(self, *shape):
        values = 100 * self.count + np.arange(int(np.prod(shape)), dtype=np.float32)
        self.count += 1
        return values.reshape(shape)


def layer(kind, name, **config):
    return {"class_name": kind, "config": {"name": name, **config}}


def sequential(name, layers):
    return {"class_name": "Sequential", "config": {"name": name, "layers": layers}}


def fixed(names):
    return np.array([n.encode() for n in names], dtype="S") if names else np.array([], dtype="S1")


def weights(group, layers):
    """layers: [(name, [(array name, values)])]"""
    group.attrs["layer_names"] = fixed([name for name, _ in layers])
    for name, arrays in layers:
        inner = group.create_group(name)
        inner.attrs["weight_names"] = fixed([array for array, _ in arrays])
        for array, values in arrays:
            inner.create_dataset(array, data=values)


def tf_keras():
    """tf.keras 2: batch normalisation, training_config with a wrapped metric, names cut into two attributes."""
    n = Numbers()
    with h5py.File("tf_keras.h5", "w", track_order=False) as f:
        model = sequential("small", [
            layer("Dense", "dense", batch_input_shape=[None, 3], units=2, dtype="float32"),
            layer("BatchNormalization", "bn", axis=[1]),
            layer("Dense", "out", units=1, activation="sigmoid")])
        f.attrs["model_config"] = json.dumps(model)
        f.attrs["keras_version"] = "2.6.0"
        f.attrs["backend"] = "tensorflow"
        f.attrs["training_config"] = json.dumps({
            "loss": "binary_crossentropy", "loss_weights": None, "weighted_metrics": None,
            "metrics": [[{"class_name": "MeanMetricWrapper",
                          "config": {"name": "accuracy", "dtype": "float32", "fn": "binary_accuracy"}}]],
            "optimizer_config": {"class_name": "Custom>Adam", "config": {
                "name": "Adam", "learning_rate": 0.005, "beta_1": 0.8, "beta_2": 0.999, "epsilon": 1e-07, "amsgrad": False,
                "use_ema": False, "jit_compile": True, "weight_decay": 0.25}}})
        g = f.create_group("model_weights")
        weights(g, [("dense", [("dense/kernel:0", n.next(3, 2)), ("dense/bias:0", n.next(2))]),
                    ("bn", [("bn/" + w + ":0", n.next(2)) for w in ("gamma", "beta", "moving_mean", "moving_variance")]),
                    ("out", [("out/kernel:0", n.next(2, 1)), ("out/bias:0", n.next(1))])])
        names = g.attrs["layer_names"]
        del g.attrs["layer_names"]
        g.attrs["layer_names0"], g.attrs["layer_names1"] = names[:2], names[2:]


def keras1():
    """Keras 1: an LSTM with an array per gate, a convolution with nb_filter, a Merge."""
    n = Numbers()
    with h5py.File("keras1.h5", "w") as f:
        model = {"class_name": "Model", "config": {
            "name": "old", "layers": [
                {"class_name": "InputLayer", "name": "words", "inbound_nodes": [],
                 "config": {"name": "words", "batch_input_shape": [None, 5, 3], "input_dtype": "float32", "sparse": False}},
                {"class_name": "LSTM", "name": "lstm", "inbound_nodes": [[["words", 0, 0]]],
                 "config": {"name": "lstm", "output_dim": 2, "init": "glorot_uniform", "inner_init": "orthogonal",
                            "forget_bias_init": "one", "activation": "tanh", "inner_activation": "hard_sigmoid",
                            "W_regularizer": {"name": "WeightRegularizer", "l1": 0.0, "l2": 0.5}, "U_regularizer": None,
                            "b_regularizer": None, "dropout_W": 0.0, "dropout_U": 0.0, "consume_less": "cpu",
                            "return_sequences": True, "go_backwards": False, "stateful": False, "unroll": False,
                            "input_dim": 3, "input_length": 5}},
                {"class_name": "Convolution1D", "name": "conv", "inbound_nodes": [[["words", 0, 0]]],
                 "config": {"name": "conv", "nb_filter": 2, "filter_length": 3, "border_mode": "same", "subsample_length": 1,
                            "init": "uniform", "activation": "relu", "bias": True, "input_dim": 3, "input_length": 5}},
                {"class_name": "Merge", "name": "merge", "inbound_nodes": [[["lstm", 0, 0], ["conv", 0, 0]]],
                 "config": {"name": "merge", "mode": "concat", "concat_axis": -1, "dot_axes": -1, "mode_type": "raw",
                            "output_shape": None, "output_mask": None, "arguments": {}}},
                {"class_name": "Dropout", "name": "drop", "inbound_nodes": [[["merge", 0, 0]]],
                 "config": {"name": "drop", "p": 0.25, "trainable": True}}],
            "input_layers": [["words", 0, 0]], "output_layers": [["drop", 0, 0]]}}
        f.attrs["model_config"] = json.dumps(model).encode()
        f.attrs["keras_version"] = b"1.2.2"
        gates = [("lstm_%s_%s:0" % (kind, gate), n.next(*shape)) for gate in "icfo"
                 for kind, shape in (("W", (3, 2)), ("U", (2, 2)), ("b", (2,)))]
        weights(f.create_group("model_weights"),
                [("words", []), ("lstm", gates), ("conv", [("conv_W:0", n.next(3, 1, 3, 2)), ("conv_b:0", n.next(2))]),
                 ("merge", []), ("drop", [])])


def nested():
    """A model in a model: tf.keras writes all trainable weights of the inner model before its moving statistics."""
    n = Numbers()
    with h5py.File("nested.h5", "w") as f:
        inner = sequential("encoder", [layer("Dense", "wide", batch_input_shape=[None, 3], units=2),
                                       layer("BatchNormalization", "bn"), layer("Dense", "narrow", units=2)])
        f.attrs["model_config"] = json.dumps(sequential("outer", [inner, layer("Dense", "head", units=1)]))
        weights(f.create_group("model_weights"), [
            ("encoder", [("wide/kernel:0", n.next(3, 2)), ("wide/bias:0", n.next(2)), ("bn/gamma:0", n.next(2)),
                         ("bn/beta:0", n.next(2)), ("narrow/kernel:0", n.next(2, 2)), ("narrow/bias:0", n.next(2)),
                         ("bn/moving_mean:0", n.next(2)), ("bn/moving_variance:0", n.next(2))]),
            ("head", [("head/kernel:0", n.next(2, 1)), ("head/bias:0", n.next(1))])])


def keras3():
    """.keras: groups named by class and counter, whatever the layers are called; parts of a layer in their own groups."""
    n = Numbers()
    model = {"module": "keras", "class_name": "Sequential", "config": {"name": "three", "layers": [
        {"module": "keras.layers", "class_name": "InputLayer", "config": {"name": "input", "batch_shape": [None, 4, 3]}},
        {"module": "keras.layers", "class_name": "Bidirectional", "config": {
            "name": "both", "layer": {"module": "keras.layers", "class_name": "LSTM", "config": {"name": "cell", "units": 2}}}},
        {"module": "keras.layers", "class_name": "Dense", "config": {"name": "second", "units": 3}},
        {"module": "keras.layers", "class_name": "Dense", "config": {"name": "first", "units": 1}}]},
        "compile_config": {"optimizer": {"module": "keras.optimizers", "class_name": "SGD", "registered_name": None,
                                         "config": {"name": "SGD", "learning_rate": 0.125, "momentum": 0.5, "nesterov": False}},
                           "loss": {"module": "builtins", "class_name": "function", "config": "mean_absolute_error",
                                    "registered_name": "function"}, "metrics": ["mse"]}}
    with h5py.File("model.weights.h5", "w") as f:
        for side in ("forward_layer", "backward_layer"):
            for i, shape in enumerate(((3, 8), (2, 8), (8,))):
                f["layers/bidirectional/%s/cell/vars/%d" % (side, i)] = n.next(*shape)
        for group, columns, rows in (("dense", 4, 3), ("dense_1", 3, 1)):
            f["layers/%s/vars/0" % group] = n.next(columns, rows)
            f["layers/%s/vars/1" % group] = n.next(rows)
        f["optimizer/vars/0"] = np.int64(17)
    with zipfile.ZipFile("keras3.keras", "w") as z:
        for name, text in (("metadata.json", '{"keras_version": "3.0.0"}'), ("config.json", json.dumps(model))):
            z.writestr(zipfile.ZipInfo(name), text)
        z.writestr(zipfile.ZipInfo("model.weights.h5"), open("model.weights.h5", "rb").read())
    os.remove("model.weights.h5")


def keras1_channels_first():
    """Keras 1 with dim_ordering th: kernels are [out, in, rows, columns]. The name holds what the search for gates looks for."""
    n = Numbers()
    with h5py.File("keras1_channels_first.h5", "w") as f:
        f.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": [
            layer("Convolution2D", "net_W_c", nb_filter=2, nb_row=3, nb_col=2, dim_ordering="th", border_mode="valid",
                  batch_input_shape=[None, 3, 5, 5], init="glorot_uniform", activation="linear")]})
        f.attrs["keras_version"] = "1.1.0"
        weights(f.create_group("model_weights"), [("net_W_c", [("net_W_c_W:0", n.next(2, 3, 3, 2)), ("net_W_c_b:0", n.next(2))])])


def nested_frozen():
    """.keras lists a model inside layer by layer, also when some of it is frozen."""
    n = Numbers()
    inner = sequential("sequential", [layer("Dense", "a", units=3, trainable=False, batch_input_shape=[None, 3]), layer("Dense", "b", units=3)])
    with h5py.File("model.weights.h5", "w") as f:
        for key in ("dense", "dense_1"):
            f["layers/sequential/layers/%s/vars/0" % key] = n.next(3, 3)
            f["layers/sequential/layers/%s/vars/1" % key] = n.next(3)
        f["layers/dropout/seed_generator/vars/0"] = np.array([1, 2], dtype=np.uint32)
    with zipfile.ZipFile("nested_frozen.keras", "w") as z:
        z.writestr(zipfile.ZipInfo("metadata.json"), "{}")
        z.writestr(zipfile.ZipInfo("config.json"), json.dumps(sequential("outer", [inner, layer("Dropout", "drop", rate=0.5)])))
        z.writestr(zipfile.ZipInfo("model.weights.h5"), open("model.weights.h5", "rb").read())
    os.remove("model.weights.h5")


def tfjs():
    """TensorFlow.js: three types of weights, cut into two shards in the middle of an array."""
    os.makedirs("tfjs", exist_ok=True)
    model = sequential("js", [layer("Dense", "plain", batch_input_shape=[None, 3], units=2),
                              layer("Dense", "packed", units=2), layer("Dense", "half", units=1)])
    parts = [("plain/bias", (2,), np.array([0.5, -0.5], dtype="<f4").tobytes(), None),  # by name, not in the layer's order
             ("plain/kernel", (3, 2), np.arange(6, dtype="<f4").tobytes(), None),
             ("packed/kernel", (2, 2), bytes([0, 1, 2, 255]), {"dtype": "uint8", "scale": 0.5, "min": -1.0}),
             ("packed/bias", (2,), struct.pack("<HH", 0, 65535), {"dtype": "uint16", "scale": 0.25, "min": 2.0}),
             ("half/kernel", (2, 1), np.array([1.5, -2.0], dtype="<f2").tobytes(), {"dtype": "float16", "original_dtype": "float32"}),
             ("half/bias", (1,), np.array([3], dtype="<f4").tobytes(), None)]
    data = b"".join(p[2] for p in parts)
    entries = [{"name": n, "shape": list(s), "dtype": "float32", **({"quantization": q} if q else {})} for n, s, _, q in parts]
    json.dump({"format": "layers-model", "modelTopology": {"keras_version": "2.6.0", "model_config": model},
               "weightsManifest": [{"paths": ["shard1of2.bin", "shard2of2.bin"], "weights": entries}]},
              open("tfjs/model.json", "w"))
    open("tfjs/shard1of2.bin", "wb").write(data[:10])
    open("tfjs/shard2of2.bin", "wb").write(data[10:])


def hostile():
    config = json.dumps(sequential("small", [layer("Dense", "dense", batch_input_shape=[None, 3], units=2)]))

    def file(name):
        f = h5py.File("hostile_" + name + ".h5", "w")
        f.attrs["model_config"] = config
        return f, f.create_group("model_weights")

    f, g = file("cycle")  # a group inside itself
    g["again"] = g
    weights(g, [("dense", [("dense/kernel:0", np.zeros((3, 2), np.float32)), ("dense/bias:0", np.zeros(2, np.float32))])])
    f.close()
    f, g = file("huge")  # a thousand terabytes, none of them written
    g.attrs["layer_names"] = fixed(["dense"])
    g.create_dataset("dense/kernel:0", shape=(1 << 24, 1 << 24), chunks=(1024, 1024), dtype="f4")
    f.close()
    f, g = file("elsewhere")  # values in another file
    g.create_dataset("dense/kernel:0", shape=(3, 2), dtype="f4", external=[("/etc/passwd", 0, 24)])
    f.close()
    f, g = file("links")  # a link to nowhere and one to another file
    g["nowhere"] = h5py.SoftLink("/not/there")
    g["other"] = h5py.ExternalLink("/etc/passwd", "/x")
    weights(g, [("dense", [])])
    f.close()
    f, g = file("shape")  # weights of another model
    weights(g, [("dense", [("dense/kernel:0", np.zeros((4, 2), np.float32)), ("dense/bias:0", np.zeros(2, np.float32))])])
    f.close()
    f, g = file("deep")
    for _ in range(120):
        g = g.create_group("g")
    f.close()


for make in (tf_keras, keras1, keras1_channels_first, nested, nested_frozen, keras3, tfjs, hostile):
    make()
