#pragma once

#include <QtCore/qtranslator.h>

// Texts of the engine's registries, for lupdate; nothing else reads this file. Not written by hand: tst_registry_text makes it
// (the target update_translations calls it).
namespace tilewright {

[[maybe_unused]] constexpr char const *kRegistryProgram[] = {
    QT_TRANSLATE_NOOP("registry", "Handwritten digits with dense layers"),
    QT_TRANSLATE_NOOP("registry", "784 - 256 - 128 - 10 perceptron on MNIST: the model of the IPU tutorial."),
    QT_TRANSLATE_NOOP("registry", "Handwritten digits with convolutions"),
    QT_TRANSLATE_NOOP("registry", "Two convolutions with pooling and two dense layers on MNIST: 99 % in two epochs."),
    QT_TRANSLATE_NOOP("registry", "Handwritten digits row by row"),
    QT_TRANSLATE_NOOP("registry", "LSTM of 128 units that reads the 28 rows of an MNIST image, and a dense layer on its last state."),
    QT_TRANSLATE_NOOP("registry", "Sequences sorted by attention"),
    QT_TRANSLATE_NOOP("registry", "Encoder with 2 blocks of 4 heads, 128 features, that sorts 16 symbols. Symbols and positions are two inputs."),
    QT_TRANSLATE_NOOP("registry", "A training loop of your own"),
    QT_TRANSLATE_NOOP("registry", "The perceptron on MNIST with a training loop of blocks: gradients clipped by their global norm, two optimizers for two groups of weights, a while block that ends at a loss bound."),
    QT_TRANSLATE_NOOP("registry", "Empty project"),
    QT_TRANSLATE_NOOP("registry", "No layers; training plan and data of mnist-mlp, so that a new model can be trained at once."),
    QT_TRANSLATE_NOOP("registry", "Mk1 GC2, one IPU of 1,216 tiles at 1.6 GHz"),
    QT_TRANSLATE_NOOP("registry", "Mk2 GC200, one IPU of 1,472 tiles at 1.33 GHz"),
    QT_TRANSLATE_NOOP("registry", "Bow, one IPU of 1,472 tiles at 1.85 GHz"),
    QT_TRANSLATE_NOOP("registry", "C600 card, one IPU of 1,472 tiles at 1.5 GHz"),
    QT_TRANSLATE_NOOP("registry", "IPU-M2000, 4 GC200"),
    QT_TRANSLATE_NOOP("registry", "Bow-2000, 4 Bow IPUs"),
    QT_TRANSLATE_NOOP("registry", "POD4, 4 GC200"),
    QT_TRANSLATE_NOOP("registry", "POD16, 16 GC200"),
    QT_TRANSLATE_NOOP("registry", "POD64, 64 GC200"),
    QT_TRANSLATE_NOOP("registry", "Bow Pod16, 16 Bow IPUs"),
    QT_TRANSLATE_NOOP("registry", "Bow Pod64, 64 Bow IPUs"),
    QT_TRANSLATE_NOOP("registry", "Keras on the host, without emulation"),
    QT_TRANSLATE_NOOP("registry", "The embedded generator of handwritten-looking digits."),
    QT_TRANSLATE_NOOP("registry", "Embedded sequences of 16 symbols, to be sorted; further inputs: positions."),
    QT_TRANSLATE_NOOP("registry", "IDX files as of MNIST, plain or gzip: a folder with the four usual files, or one file with labels in data.y."),
    QT_TRANSLATE_NOOP("registry", "A NumPy archive with x_train, y_train, x_test, y_test, or x and y. data.inputs names the arrays of further inputs."),
    QT_TRANSLATE_NOOP("registry", "NumPy files: x_train.npy, y_train.npy, x_test.npy, y_test.npy, or x.npy and y.npy."),
    QT_TRANSLATE_NOOP("registry", "A table of numbers, one record per line; data.label_column names the labels."),
    QT_TRANSLATE_NOOP("registry", "a tile needs more bytes than it has"),
    QT_TRANSLATE_NOOP("registry", "the worst tile of an IPU is over 90 % full"),
    QT_TRANSLATE_NOOP("registry", "less than 5 % of the executable region is free although a quarter of the tile is free"),
    QT_TRANSLATE_NOOP("registry", "one IPU's worst tile holds 1.5 times the mean, and over half of its memory"),
    QT_TRANSLATE_NOOP("registry", "the largest variables of the worst tile at its peak"),
    QT_TRANSLATE_NOOP("registry", "code is over half of a tile's always-live memory and over a tenth of its memory"),
    QT_TRANSLATE_NOOP("registry", "a tile is over half full, mostly with 32-bit variables"),
    QT_TRANSLATE_NOOP("registry", "a compute set takes over 5 % of the time, and its active tiles are on average less than half as busy as the slowest"),
    QT_TRANSLATE_NOOP("registry", "a compute set takes over 5 % of the time on less than a quarter of the tiles"),
    QT_TRANSLATE_NOOP("registry", "exchange takes more cycles than compute"),
    QT_TRANSLATE_NOOP("registry", "barriers take over 20 % of the time"),
    QT_TRANSLATE_NOOP("registry", "so many compute phases are shorter than a barrier that their barriers take over 25 % of the time"),
    QT_TRANSLATE_NOOP("registry", "transfers from and to the host take over 30 % of the time"),
    QT_TRANSLATE_NOOP("registry", "copies from and to streaming memory take over 30 % of the time"),
    QT_TRANSLATE_NOOP("registry", "a product's plan needs more temporary memory than its limit"),
    QT_TRANSLATE_NOOP("registry", "a product takes over 5 % of the time and 20 times the cycles of its arithmetic"),
    QT_TRANSLATE_NOOP("registry", "filling and draining the pipeline takes over 20 % of its time"),
    QT_TRANSLATE_NOOP("registry", "the grouped schedule would take 5 % less of the pipeline's time"),
    QT_TRANSLATE_NOOP("registry", "IPUs wait over 5 % of the pipeline's time for slower stages"),
    QT_TRANSLATE_NOOP("registry", "tiles wait over 15 % of the time for slower ones to finish their compute phases"),
    QT_TRANSLATE_NOOP("registry", "exchange takes over 15 % of the time, though less than compute"),
};

} // namespace tilewright
