"""keras.applications: ResNet v1 with 50, 101 or 152 layers, by Keras's names of its layers."""

import sys

from tilewright.missing import not_yet

_BLOCKS = {"resnet50": (3, 4, 6, 3), "resnet101": (3, 4, 23, 3), "resnet152": (3, 8, 36, 3)}


def _block(tensor, filters, stride, shortcut, name):
    from tilewright.keras import layers as keras

    def convolution(source, count, size, number, steps=1, padding="valid"):
        made = keras.Conv2D(count, size, strides=steps, padding=padding, name=f"{name}_{number}_conv")(source)
        return keras.BatchNormalization(axis=3, epsilon=1.001e-5, name=f"{name}_{number}_bn")(made)

    beside = convolution(tensor, 4 * filters, 1, 0, stride) if shortcut else tensor
    for number, size, padding, steps in ((1, 1, "valid", stride), (2, 3, "same", 1)):
        tensor = convolution(tensor, filters, size, number, steps, padding)
        tensor = keras.Activation("relu", name=f"{name}_{number}_relu")(tensor)
    tensor = convolution(tensor, 4 * filters, 1, 3)
    tensor = keras.Add(name=f"{name}_add")([beside, tensor])
    return keras.Activation("relu", name=f"{name}_out")(tensor)


def _resnet(name, include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation):
    from tilewright.keras import layers as keras
    from tilewright.keras.models import Model

    if weights not in (None, "imagenet"):
        raise not_yet(f"{name}(weights={weights!r})", "None draws them; load_weights reads a file that save_weights wrote.")
    if weights == "imagenet":
        print(f"tilewright: the weights of {name} for ImageNet are not there: drawn ones stand in. Its outputs have no meaning until it is "
              "trained.", file=sys.stderr, flush=True)
    inputs = input_tensor if input_tensor is not None else keras.Input(input_shape or (224, 224, 3))
    tensor = keras.ZeroPadding2D(((3, 3), (3, 3)), name="conv1_pad")(inputs)
    tensor = keras.Conv2D(64, 7, strides=2, name="conv1_conv")(tensor)
    tensor = keras.BatchNormalization(axis=3, epsilon=1.001e-5, name="conv1_bn")(tensor)
    tensor = keras.Activation("relu", name="conv1_relu")(tensor)
    tensor = keras.ZeroPadding2D(((1, 1), (1, 1)), name="pool1_pad")(tensor)
    tensor = keras.MaxPooling2D(3, strides=2, name="pool1_pool")(tensor)
    for stage, count in enumerate(_BLOCKS[name], 2):
        for block in range(1, count + 1):
            first = block == 1
            tensor = _block(tensor, 16 << stage, 2 if first and stage > 2 else 1, first, f"conv{stage}_block{block}")
    if include_top:
        tensor = keras.GlobalAveragePooling2D(name="avg_pool")(tensor)
        tensor = keras.Dense(classes, activation=classifier_activation, name="predictions")(tensor)
    elif pooling in ("avg", "max"):
        pool = keras.GlobalAveragePooling2D if pooling == "avg" else keras.GlobalMaxPooling2D
        tensor = pool(name=f"{pooling}_pool")(tensor)
    return Model(inputs, tensor, name=name)


def _entrance(name):
    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
             classifier_activation="softmax", **kwargs):
        """A ResNet for images of [224, 224, 3], or of input_shape."""
        return _resnet(name, include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation)
    return make


ResNet50, ResNet101, ResNet152 = (_entrance(name) for name in _BLOCKS)
