#pragma once

#include "engine/data/data_source.h"

namespace tilewright::data {

/// A folder with the four files of MNIST under their usual names, plain or .gz, or with the names of the spec; or one IDX file of samples,
/// with data.y beside it.
DataFormat idxFormat();
/// An .npz archive with x_train, y_train, x_test, y_test, or x, y, or the arrays named in the spec.
DataFormat npzFormat();
/// An .npy file of samples with its labels in data.y, or a folder with x_train.npy … or x.npy, y.npy.
DataFormat npyFormat();
/// A table of numbers; data.test_x names a second one with test records, data.label_column the labels.
/// With data.window, a sample is that many rows, and its label that of a later row.
DataFormat csvFormat();
/// A text for models of characters: a sample is a window of character numbers, its labels the numbers of the next characters. Selected by
/// name only.
DataFormat charactersFormat();
/// The binary versions of CIFAR-10 and CIFAR-100.
DataFormat cifarFormat();
/// Folders of PNG and JPEG files, one for each class.
DataFormat imagesFormat();

} // namespace tilewright::data
