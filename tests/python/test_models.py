"""Layers and models: names, shapes, weights, texts and errors."""

import unittest

import support  # noqa: F401
import keras
import numpy as np
import tensorflow as tf


class Named(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()


class Layers(Named):
    def test_names_count_by_class(self):
        names = [layer.name for layer in (keras.layers.Dense(1), keras.layers.Dense(1), keras.layers.MaxPooling2D(),
                                          keras.layers.Conv2DTranspose(1, 1), keras.layers.LSTM(1))]
        self.assertEqual(names, ["dense", "dense_1", "max_pooling2d", "conv2d_transpose", "lstm"])
        self.assertEqual([keras.Input(3).name, keras.Input(3).name], ["input_1", "input_2"])

    def test_positional_arguments_are_keras_order(self):
        cases = [(keras.layers.Conv2D(4, 3, 2, "SAME"), (8, 8, 1), (None, 4, 4, 4)),
                 (keras.layers.MaxPooling2D(2, 1), (8, 8, 1), (None, 7, 7, 1)),
                 (keras.layers.LSTM(5, return_sequences=True), (7, 2), (None, 7, 5)),
                 (keras.layers.Embedding(100, 6), (9,), (None, 9, 6)),
                 (keras.layers.Dense(3, "relu"), (4, 2), (None, 4, 3)),
                 (keras.layers.Reshape((2, -1)), (8,), (None, 2, 4)),
                 (keras.layers.BatchNormalization(-1), (8,), (None, 8))]
        for layer, shape, expected in cases:
            with self.subTest(layer=layer):
                dtype = "int32" if layer.name == "embedding" else None
                self.assertEqual(tuple(layer(keras.Input(shape, dtype=dtype)).shape), expected)

    def test_states_are_outputs(self):
        outputs = keras.layers.LSTM(8, return_state=True, return_sequences=True)(keras.Input((5, 3)))
        self.assertEqual([tuple(tensor.shape) for tensor in outputs], [(None, 5, 8), (None, 8), (None, 8)])

    def test_parameters(self):
        layer = keras.layers.Dense(10)
        with self.assertRaises(ValueError):
            layer.count_params()
        layer(keras.Input((784,)))
        self.assertEqual(layer.count_params(), 7850)
        self.assertEqual([weight.name for weight in layer.weights], ["dense/kernel:0", "dense/bias:0"])

    def test_arguments_are_known_after_building(self):
        layer = keras.layers.Conv2D(4, 3)
        layer(keras.Input((8, 8, 1)))
        self.assertEqual((layer.kernel_size, layer.strides, layer.padding), ((3, 3), (1, 1), "valid"))

    def test_a_layer_computes_values(self):
        layer = keras.layers.Dense(2, kernel_initializer="ones", bias_initializer="ones")
        self.assertEqual(layer(np.ones((1, 3), np.float32)).numpy().tolist(), [[4, 4]])

    def test_wrong_arguments_are_named(self):
        with self.assertRaisesRegex(TypeError, "activatio.*activation"):
            keras.layers.Dense(4, activatio="relu")
        with self.assertRaisesRegex(ValueError, "rellu.*relu"):
            keras.layers.Dense(4, activation="rellu")(keras.Input(3))
        with self.assertRaisesRegex(ValueError, "conv2d.*rank"):
            keras.layers.Conv2D(4, 3)(keras.Input((5,)))

    def test_what_needs_the_tracer_says_so(self):
        from tilewright.missing import NotThereYet

        class Own(keras.layers.Dense):
            pass

        with self.assertRaisesRegex(NotThereYet, "Own"):
            Own(3)(keras.Input(3))
        with self.assertRaisesRegex(NotThereYet, "in a project"):
            keras.Model(tensor := keras.Input(3), tensor * 2).to_json()
        with self.assertRaisesRegex(NotThereYet, "more than the batch is open"):
            keras.Input((None, 3)) * 2


class Block(keras.layers.Layer):
    """A layer of the script: two layers of Keras."""

    def __init__(self, units):
        super().__init__()
        self.dense = keras.layers.Dense(units, activation="relu")
        self.drop = keras.layers.Dropout(0.5)

    def call(self, inputs, training=None):
        return self.drop(self.dense(inputs), training=training)


class Net(keras.Model):
    """A model of the script, with blocks in a list."""

    def __init__(self):
        super().__init__(self)
        self.blocks = [Block(8), Block(4)]
        self.last = keras.layers.Dense(3, activation="softmax")

    def call(self, inputs, training=None):
        for block in self.blocks:
            inputs = block(inputs, training=training)
        return self.last(inputs)


class Subclassed(Named):
    def test_it_is_built_by_its_call(self):
        net = Net()
        self.assertEqual(net.name, "net")
        with self.assertRaisesRegex(ValueError, "not yet been built"):
            net.get_weights()
        net.build((None, 6))
        self.assertEqual([weight.shape.as_list() for weight in net.weights], [[6, 8], [8], [8, 4], [4], [4, 3], [3]])
        self.assertEqual(len(net.layers), 3)

    def test_it_trains_as_the_same_functional_model(self):
        from support import blobs

        x, y = blobs()

        def trained(model):
            model.compile("sgd", "sparse_categorical_crossentropy")
            model.fit(x, y, epochs=2, verbose=0)
            return model.get_weights()
        own = trained(Net())
        keras.backend.clear_session()
        tensor = keras.Input((6,))
        hidden = keras.layers.Dropout(0.5)(keras.layers.Dense(8, activation="relu")(tensor))
        hidden = keras.layers.Dropout(0.5)(keras.layers.Dense(4, activation="relu")(hidden))
        plain = trained(keras.Model(tensor, keras.layers.Dense(3, activation="softmax")(hidden)))
        for a, b in zip(own, plain):
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_values(self):
        net = Net()
        x = np.ones((2, 6), np.float32)
        np.testing.assert_allclose(net(x).numpy(), net.predict(x))


class Symbolic(Named):
    def test_texts(self):
        tensor = keras.layers.Dense(10)(keras.Input((4,)))
        self.assertEqual(repr(tensor), "<KerasTensor: shape=(None, 10) dtype=float32 (created by layer 'dense')>")

        self.assertEqual(str(tensor), "KerasTensor(type_spec=TensorSpec(shape=(None, 10), dtype=tf.float32, name=None), "
                                      "name='dense/BiasAdd:0', description=\"created by layer 'dense'\")")
        self.assertEqual(keras.layers.Dense(1, "relu")(tensor).name, "dense_1/Relu:0")

    def test_without_a_value(self):
        tensor = keras.Input((4,))
        for use in (len, hash, bool, np.array):
            with self.subTest(use), self.assertRaises(TypeError):
                use(tensor)


class Operations(Named):
    """Functions of TensorFlow on symbolic tensors become layers with the same values."""

    def setUp(self):
        super().setUp()
        self.arrays = [np.random.default_rng(seed).normal(size=(3, 6, 4)).astype(np.float32) for seed in (1, 2)]

    def test_values(self):
        cases = {"add": lambda a, b: a + b, "product": lambda a, b: a * b, "difference": lambda a, b: a - b,
                 "relu": lambda a, b: tf.nn.relu(a), "softmax": lambda a, b: tf.nn.softmax(a, axis=-1),
                 "concat": lambda a, b: tf.concat([a, b], -1), "slice": lambda a, b: a[:, 1:4, :], "step": lambda a, b: a[:, -2],
                 "reshape": lambda a, b: tf.reshape(a, [-1, 8, 3]), "transpose": lambda a, b: tf.transpose(a, [0, 2, 1]),
                 "expand": lambda a, b: tf.expand_dims(a, -1), "squeeze": lambda a, b: tf.squeeze(tf.expand_dims(a, 1), 1),
                 "mean": lambda a, b: tf.reduce_mean(a, axis=1), "cast": lambda a, b: tf.cast(a, tf.float32) + b,
                 "lambda": lambda a, b: keras.layers.Lambda(lambda x, end=0: x[:, :end], arguments={"end": 2})(a)}
        for name, function in cases.items():
            with self.subTest(name):
                tensors = keras.Input((6, 4)), keras.Input((6, 4))
                model = keras.Model(tensors, function(*tensors))
                expected = function(*map(tf.constant, self.arrays))
                np.testing.assert_allclose(model(tuple(self.arrays)).numpy(), expected.numpy(), atol=1e-6)

    def test_names(self):
        a, b = keras.Input((3,)), keras.Input((3,))
        model = keras.Model([a, b], tf.concat([a + b, a + a], 1))
        self.assertEqual([layer.name for layer in model.layers[2:]], ["tf.__operators__.add", "tf.__operators__.add_1", "tf.concat"])

    def test_what_has_no_layer_is_refused(self):
        from tilewright.missing import NotThereYet

        tensor = keras.Input((6, 4))
        for name, function in {"Sin": lambda: tf.sin(tensor), "slice": lambda: tensor[:, ::2]}.items():
            with self.assertRaisesRegex(NotThereYet, name):
                function()


class Addons(Named):
    def test_layers_have_their_own_order_of_arguments(self):
        from ipu_tensorflow_addons.keras.layers import LSTM, Embedding, PopnnLSTM
        from tilewright.missing import NotThereYet

        self.assertIs(LSTM, PopnnLSTM)
        tensor = Embedding(20, 4, "uniform", 1)(keras.Input((5,), dtype=tf.int32))
        self.assertEqual(LSTM(3, dropout=0.1)(tensor).shape, (None, 3))
        with self.assertRaisesRegex(NotThereYet, "serialization_factor"):
            Embedding(20, 4, serialization_factor=2)

    def test_checkpoints_of_a_list_are_a_list(self):
        from ipu_tensorflow_addons.keras.layers import RecomputationCheckpoint

        inputs = [keras.Input((3,)), keras.Input((4,))]
        kept = RecomputationCheckpoint()(inputs)
        self.assertEqual([tensor.shape.as_list() for tensor in kept], [[None, 3], [None, 4]])


class Models(Named):
    def two_inputs(self):
        a, b = keras.Input((4,)), keras.Input((4,), name="b")
        shared = keras.layers.Dense(3)
        joined = keras.layers.Concatenate()([shared(a), shared(b)])
        return keras.Model([a, b], [joined, keras.layers.Dense(1)(joined)])

    def test_functional(self):
        model = self.two_inputs()
        self.assertEqual((model.name, model.input_names, model.output_names), ("model", ["input_1", "b"], ["concatenate", "dense_1"]))
        self.assertEqual([layer.name for layer in model.layers], ["input_1", "b", "dense", "concatenate", "dense_1"])
        self.assertEqual(model.output_shape, [(None, 6), (None, 1)])
        self.assertEqual(model.count_params(), 15 + 7)

    def test_shared_layers_have_one_set_of_weights(self):
        model = self.two_inputs()
        self.assertEqual(len(model.weights), 4)
        x = np.ones((2, 4), np.float32)
        joined, _ = model([x, x])
        self.assertTrue((joined.numpy()[:, :3] == joined.numpy()[:, 3:]).all())

    def test_weights_can_be_read_and_set(self):
        model = self.two_inputs()
        weights = model.get_weights()
        self.assertEqual([weight.shape for weight in weights], [(4, 3), (3,), (6, 1), (1,)])
        self.assertTrue(np.any(weights[0]))
        model.set_weights([np.full_like(weight, 0.5) for weight in weights])
        self.assertEqual(model.layers[2].get_weights()[0][0, 0], 0.5)
        self.assertEqual(model.weights[1].numpy().tolist(), [0.5] * 3)
        with self.assertRaisesRegex(ValueError, "3 arrays.*4 weights"):
            model.set_weights(weights[:3])
        with self.assertRaises(ValueError):
            model.set_weights([weights[1], weights[0], *weights[2:]])

    def test_first_weights_follow_the_seed(self):
        def first(seed):
            keras.backend.clear_session()
            tf.random.set_seed(seed)
            return self.two_inputs().get_weights()[0]
        self.assertTrue((first(1) == first(1)).all())
        self.assertFalse((first(1) == first(2)).all())

    def test_deferred_sequential(self):
        model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2)])
        for use in (model.summary, lambda: model.weights, model.count_params):
            with self.assertRaisesRegex(ValueError, "not yet been built"):
                use()
        model.build((None, 3, 3))
        self.assertEqual(model.count_params(), 20)
        self.assertEqual(model(np.ones((5, 3, 3), np.float32)).shape, [5, 2])

    def test_inputs_are_no_layers_of_a_sequential(self):
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
        self.assertEqual([layer.name for layer in model.layers], ["dense"])
        model.add(keras.layers.Dense(1))
        self.assertEqual(model.output_shape, (None, 1))

    def test_errors_of_graphs(self):
        a, b = keras.Input((4,)), keras.Input((4,))
        with self.assertRaisesRegex(ValueError, "input_2"):
            keras.Model(a, keras.layers.Add()([a, b]))
        with self.assertRaisesRegex(ValueError, "twin"):
            keras.Model(a, keras.layers.Dense(1, name="twin")(keras.layers.Dense(1, name="twin")(a)))
        with self.assertRaisesRegex(ValueError, "No such layer: x"):
            self.two_inputs().get_layer("x")

    def test_summary(self):
        model = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(1)])
        lines = []
        model.summary(print_fn=lines.append)
        self.assertEqual(lines[0], 'Model: "sequential"')
        self.assertEqual(lines[1], "_" * 65)
        self.assertEqual(lines[4], "dense (Dense)                (None, 8)                 40        ")
        self.assertEqual(lines[-4:], ["Total params: 49", "Trainable params: 49", "Non-trainable params: 0", "_" * 65])

    def test_json_round_trip_is_kerass(self):
        import json

        document = json.loads(self.two_inputs().to_json())
        self.assertEqual(document["class_name"], "Functional")
        self.assertEqual(document["config"]["input_layers"], [["input_1", 0, 0], ["b", 0, 0]])
        self.assertEqual(document["config"]["layers"][2]["inbound_nodes"], [[["input_1", 0, 0, {}]], [["b", 0, 0, {}]]])


if __name__ == "__main__":
    unittest.main()
