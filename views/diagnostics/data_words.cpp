#include "views/diagnostics/diagnostic_words.h"

#include <QCoreApplication>

namespace tilewright::views {

// Of data sets.
std::vector<CodeWords> const &dataWords()
{
    static std::vector<CodeWords> const words{
        {"data.validation-batch", QT_TRANSLATE_NOOP("diagnostics", "Evaluation takes small batches"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 samples are evaluated in batches of %2: none that is nearer to the batch size of %3 divides them."),
            QT_TRANSLATE_NOOP("diagnostics", "Give or hold out a multiple of the batch size (training.validation_split, data.limit)."),
        }},
        {"data.batch", QT_TRANSLATE_NOOP("diagnostics", "The batch size does not divide the data"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and shapes on the device are fixed."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a batch size that divides the data, such as %1, or set data.limit to %2."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a batch size that divides the data, such as %1."),
        }},
        {"data.changed", QT_TRANSLATE_NOOP("diagnostics", "The data changed while in use"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data file changed while it was in use"),
            QT_TRANSLATE_NOOP("diagnostics", "Leave it alone until the run has ended."),
            QT_TRANSLATE_NOOP("diagnostics", "the data file changed while it was read"),
            QT_TRANSLATE_NOOP("diagnostics", "Wait until it is written."),
        }},
        {"data.csv.cells", QT_TRANSLATE_NOOP("diagnostics", "A record has another number of cells"), {
            QT_TRANSLATE_NOOP("diagnostics", "record %1 has %2 cells, the first line has %3"),
        }},
        {"data.csv.column", QT_TRANSLATE_NOOP("diagnostics", "There is no such column"), {
            QT_TRANSLATE_NOOP("diagnostics", "there is no column '%1' for the labels"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a name of the first line or a number below %1."),
        }},
        {"data.csv.empty", QT_TRANSLATE_NOOP("diagnostics", "The table is empty"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file has no lines"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a table of numbers, one record a line."),
            QT_TRANSLATE_NOOP("diagnostics", "the file has no records"),
            QT_TRANSLATE_NOOP("diagnostics", "Give at least one record after the header."),
        }},
        {"data.csv.number", QT_TRANSLATE_NOOP("diagnostics", "A cell is no number"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 of record %2, column %3 %4, is not a number that float32 can hold"),
            QT_TRANSLATE_NOOP("diagnostics", "%1 of record %2, column %3, is not a number that float32 can hold"),
            QT_TRANSLATE_NOOP("diagnostics", "Fill the empty cell, or remove the record."),
            QT_TRANSLATE_NOOP("diagnostics", "Write numbers with a decimal point; code categories as numbers."),
        }},
        {"data.csv.quote", QT_TRANSLATE_NOOP("diagnostics", "A quote is not closed"), {
            QT_TRANSLATE_NOOP("diagnostics", "a quote of record %1 is not closed, or text follows it"),
        }},
        {"data.digits.count", QT_TRANSLATE_NOOP("diagnostics", "The number of digits is out of range"), {
            QT_TRANSLATE_NOOP("diagnostics", "the number of digits must be 0 to 100,000,000."),
        }},
        {"data.field", QT_TRANSLATE_NOOP("diagnostics", "A field of the data source does not go"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data source is not a JSON object."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is not a text."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is not an object of input names and array names."),
            QT_TRANSLATE_NOOP("diagnostics", "the array of input '%1' is not named."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is not a number."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is neither true nor false."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is not a whole number from 0."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is not a whole number below 2^40."),
            QT_TRANSLATE_NOOP("diagnostics", "there is no such field."),
            QT_TRANSLATE_NOOP("diagnostics", "Fields are %1."),
            QT_TRANSLATE_NOOP("diagnostics", "the fraction %1 is not in [0, 1)."),
            QT_TRANSLATE_NOOP("diagnostics", "the limit is negative."),
            QT_TRANSLATE_NOOP("diagnostics", "0 means all samples."),
            QT_TRANSLATE_NOOP("diagnostics", "the factor is not finite."),
            QT_TRANSLATE_NOOP("diagnostics", "there is no data format '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Formats are %1."),
            QT_TRANSLATE_NOOP("diagnostics", "data of format %1 have one array of samples: there is none for input '%2'."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a NumPy archive (.npz), or a folder of IDX or NumPy files."),
            QT_TRANSLATE_NOOP("diagnostics", "the test samples have nothing for input '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Name its array in data.test_inputs as in data.inputs."),
            QT_TRANSLATE_NOOP("diagnostics", "there are labels for output '%1' and none for the others."),
            QT_TRANSLATE_NOOP("diagnostics", "samples without labels have no loss to weigh."),
            QT_TRANSLATE_NOOP("diagnostics", "data of format %1 have no array for weights."),
            QT_TRANSLATE_NOOP("diagnostics", "Name the labels in data.y."),
            QT_TRANSLATE_NOOP("diagnostics", "Name those in data.y."),
            QT_TRANSLATE_NOOP("diagnostics", "data of format %1 have one array of labels: there is none for output '%2'."),
            QT_TRANSLATE_NOOP("diagnostics", "the test samples have no labels for output '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Name their array in data.test_labels as in data.labels."),
            QT_TRANSLATE_NOOP("diagnostics", "'%1' is not a value of this field."),
            QT_TRANSLATE_NOOP("diagnostics", "Write a number, true, false or null."),
            QT_TRANSLATE_NOOP("diagnostics", "the embedded sequences have no array '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "They have: positions."),
            QT_TRANSLATE_NOOP("diagnostics", "the embedded generator '%1' makes its samples and has no files or columns to name."),
            QT_TRANSLATE_NOOP("diagnostics", "Set data.path to your data, or make data.%1 empty."),
            QT_TRANSLATE_NOOP("diagnostics", "data of format %1 are read from a file, and none is named."),
            QT_TRANSLATE_NOOP("diagnostics", "Set data.path, or set data.format to auto for the embedded generator."),
        }},
        {"data.file", QT_TRANSLATE_NOOP("diagnostics", "A data file cannot be read"), {
            QT_TRANSLATE_NOOP("diagnostics", "more than %1 large data files are open at once."),
            QT_TRANSLATE_NOOP("diagnostics", "Close some projects."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot map the data file: %1."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot open the data file: %1."),
            QT_TRANSLATE_NOOP("diagnostics", "the data file is not a regular file."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot read the data file: %1."),
        }},
        {"data.format", QT_TRANSLATE_NOOP("diagnostics", "The kind of data is not known"), {
            QT_TRANSLATE_NOOP("diagnostics", "the kind of data cannot be told from the name or the content."),
            QT_TRANSLATE_NOOP("diagnostics", "Set data.format, or give a folder of IDX files, an .npz, .npy or .csv file."),
        }},
        {"data.gzip", QT_TRANSLATE_NOOP("diagnostics", "A compressed file is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "the gzip data are damaged."),
            QT_TRANSLATE_NOOP("diagnostics", "the file ends inside its gzip checksum."),
        }},
        {"data.idx.magic", QT_TRANSLATE_NOOP("diagnostics", "This is no IDX file"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is no IDX file: it begins with %1, not with 00 00."),
            QT_TRANSLATE_NOOP("diagnostics", "An IDX file of images begins with 00 00 08 03, one of labels with 00 00 08 01."),
            QT_TRANSLATE_NOOP("diagnostics", "an IDX file of %1 dimensions is not supported."),
            QT_TRANSLATE_NOOP("diagnostics", "1 (labels) to %1 dimensions are."),
        }},
        {"data.idx.trailing", QT_TRANSLATE_NOOP("diagnostics", "A file is longer than its header says"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file goes on after the %1 records its header declares: %2."),
            QT_TRANSLATE_NOOP("diagnostics", "The header is damaged, or this is another kind of file."),
        }},
        {"data.idx.truncated", QT_TRANSLATE_NOOP("diagnostics", "A file is shorter than its header says"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file ends inside the IDX header."),
            QT_TRANSLATE_NOOP("diagnostics", "the file ends inside record %1: the header declares %2, that is %3 bytes, and %4 are there."),
            QT_TRANSLATE_NOOP("diagnostics", "the header declares %1, more than the compressed file can hold."),
        }},
        {"data.idx.type", QT_TRANSLATE_NOOP("diagnostics", "The type of the elements is not known"), {
            QT_TRANSLATE_NOOP("diagnostics", "the IDX type code %1 is unknown."),
            QT_TRANSLATE_NOOP("diagnostics", "Known are 08 (uint8), 09 (int8), 0b (int16), 0c (int32), 0d (float32), 0e (float64)."),
        }},
        {"data.inputs", QT_TRANSLATE_NOOP("diagnostics", "The inputs of the model are not all fed"), {
            QT_TRANSLATE_NOOP("diagnostics", "samples cannot be fed as %1 yet."),
            QT_TRANSLATE_NOOP("diagnostics", "Make the input float32, float16 or int32."),
            QT_TRANSLATE_NOOP("diagnostics", "the data have nothing for input '%1': the samples feed input '%2'."),
            QT_TRANSLATE_NOOP("diagnostics", "Name the array of one of them in data.inputs, such as {\"%1\": \"array\"}."),
            QT_TRANSLATE_NOOP("diagnostics", "data.inputs names every input, and none is left for the samples."),
            QT_TRANSLATE_NOOP("diagnostics", "Leave one input out of data.inputs: the samples (data.x) feed it."),
            QT_TRANSLATE_NOOP("diagnostics", "the model has no input '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Correct the name in data.inputs, or remove it."),
        }},
        {"data.label-shape", QT_TRANSLATE_NOOP("diagnostics", "Labels do not go with the predictions"), {
            QT_TRANSLATE_NOOP("diagnostics", "labels of shape %1 do not fit predictions of shape %2"),
            QT_TRANSLATE_NOOP("diagnostics", "this loss wants labels of shape %1"),
        }},
        {"data.labels", QT_TRANSLATE_NOOP("diagnostics", "Labels that belong to no output"), {
            QT_TRANSLATE_NOOP("diagnostics", "the model has one output, whose labels are data.y."),
            QT_TRANSLATE_NOOP("diagnostics", "the model has no output '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Correct the name in data.labels, or remove it."),
        }},
        {"data.labels.missing", QT_TRANSLATE_NOOP("diagnostics", "There are no labels"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data set has no labels."),
            QT_TRANSLATE_NOOP("diagnostics", "Name them with data.y."),
        }},
        {"data.labels.range", QT_TRANSLATE_NOOP("diagnostics", "A label is out of range"), {
            QT_TRANSLATE_NOOP("diagnostics", "the label %1 is not one of the classes 0 to %2."),
            QT_TRANSLATE_NOOP("diagnostics", "Correct the record, or give the last layer as many units as there are classes."),
        }},
        {"data.labels.shape", QT_TRANSLATE_NOOP("diagnostics", "Labels have another shape"), {
            QT_TRANSLATE_NOOP("diagnostics", "Name the array or column of the labels (data.y, data.label_column)."),
            QT_TRANSLATE_NOOP("diagnostics", "a label is %1 numbers; class numbers are one each."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a categorical loss for one-hot labels, a sparse one for class numbers."),
            QT_TRANSLATE_NOOP("diagnostics", "a label is %1 (%2 values) but the loss takes %3."),
            QT_TRANSLATE_NOOP("diagnostics", "a label is %1 but the loss takes %2."),
            QT_TRANSLATE_NOOP("diagnostics", "a label is %1 (%2 values) but the loss of output '%3' takes %4."),
            QT_TRANSLATE_NOOP("diagnostics", "a label is %1 but the loss of output '%2' takes %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Give the output labels of its own in data.labels, such as %1."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a sparse loss for class numbers, or one-hot labels."),
        }},
        {"data.limit", QT_TRANSLATE_NOOP("diagnostics", "The data are too large"), {
            QT_TRANSLATE_NOOP("diagnostics", "the table has more than %1 numbers."),
            QT_TRANSLATE_NOOP("diagnostics", "the shape %1 has %2 elements, more than %3."),
            QT_TRANSLATE_NOOP("diagnostics", "the compressed content unpacks to %1 bytes, more than %2."),
        }},
        {"data.memory", QT_TRANSLATE_NOOP("diagnostics", "There is not enough memory for the data"), {
            QT_TRANSLATE_NOOP("diagnostics", "the machine has no memory for %1 bytes of data."),
            QT_TRANSLATE_NOOP("diagnostics", "Use fewer records (data.limit), or store the data uncompressed as uint8 so that it is mapped."),
            QT_TRANSLATE_NOOP("diagnostics", "there is no memory to compress the archive."),
        }},
        {"data.missing", QT_TRANSLATE_NOOP("diagnostics", "The data are not there"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data file or folder does not exist."),
            QT_TRANSLATE_NOOP("diagnostics", "Check data.path; empty uses the embedded generator."),
            QT_TRANSLATE_NOOP("diagnostics", "the data file does not exist."),
            QT_TRANSLATE_NOOP("diagnostics", "Check the path; an empty data.path uses the embedded generator."),
            QT_TRANSLATE_NOOP("diagnostics", "the folder has no file of training samples (%1)."),
            QT_TRANSLATE_NOOP("diagnostics", "Name the files in data.x, data.y, data.test_x and data.test_y."),
        }},
        {"data.no-test", QT_TRANSLATE_NOOP("diagnostics", "These are the training samples"), {
            QT_TRANSLATE_NOOP("diagnostics", "there are no test samples and none held out: these are the training samples."),
            QT_TRANSLATE_NOOP("diagnostics", "Give test samples, or set training.validation_split."),
        }},
        {"data.two-splits", QT_TRANSLATE_NOOP("diagnostics", "Two shares of the samples are held out"), {
            QT_TRANSLATE_NOOP("diagnostics", "training.validation_split is set to another share, which is the one that is held out."),
            QT_TRANSLATE_NOOP("diagnostics", "Set one of the two to 0."),
        }},
        {"data.npy.dtype", QT_TRANSLATE_NOOP("diagnostics", "The element type of an array is not supported"), {
            QT_TRANSLATE_NOOP("diagnostics", "the array has a structured type (records with fields)."),
            QT_TRANSLATE_NOOP("diagnostics", "Save each field as an array of its own."),
            QT_TRANSLATE_NOOP("diagnostics", "the element type %1 is not supported."),
            QT_TRANSLATE_NOOP("diagnostics", "Python objects are never loaded; save a numeric array."),
            QT_TRANSLATE_NOOP("diagnostics", "Supported are bool, integers of 1 to 8 bytes and floats of 2, 4 and 8 bytes."),
        }},
        {"data.npy.header", QT_TRANSLATE_NOOP("diagnostics", "The header of an array is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "the .npy header is damaged: expected %1."),
            QT_TRANSLATE_NOOP("diagnostics", "the .npy version %1 is not supported."),
            QT_TRANSLATE_NOOP("diagnostics", "Versions 1 to 3 are."),
        }},
        {"data.npy.magic", QT_TRANSLATE_NOOP("diagnostics", "This is no .npy file"), {}},
        {"data.npy.trailing", QT_TRANSLATE_NOOP("diagnostics", "An array is longer than its header says"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file goes on after the %1 its header declares."),
            QT_TRANSLATE_NOOP("diagnostics", "The header is damaged, or several arrays were saved into one file: use .npz for these."),
        }},
        {"data.npy.truncated", QT_TRANSLATE_NOOP("diagnostics", "An array is shorter than its header says"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file ends inside the .npy header."),
            QT_TRANSLATE_NOOP("diagnostics", "the file ends inside record %1: the header declares %2 of %3, that is %4 bytes, and %5 are there."),
        }},
        {"data.npz.name", QT_TRANSLATE_NOOP("diagnostics", "The archive has no such array"), {
            QT_TRANSLATE_NOOP("diagnostics", "the archive has no array named x_train or x."),
            QT_TRANSLATE_NOOP("diagnostics", "It holds: %1. Name the samples in data.x."),
            QT_TRANSLATE_NOOP("diagnostics", "the archive has no array named '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "It holds: %1."),
            QT_TRANSLATE_NOOP("diagnostics", "the array name '%1' is empty, too long or used twice."),
        }},
        {"data.problem.all-equal", QT_TRANSLATE_NOOP("diagnostics", "All samples are equal"), {
            QT_TRANSLATE_NOOP("diagnostics", "All samples are equal."),
        }},
        {"data.problem.missing-class", QT_TRANSLATE_NOOP("diagnostics", "A class has no samples"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 has no training samples."),
        }},
        {"data.problem.no-classes", QT_TRANSLATE_NOOP("diagnostics", "The labels are no class numbers"), {
            QT_TRANSLATE_NOOP("diagnostics", "The labels are no class numbers: only a regression loss fits them."),
        }},
        {"data.problem.no-labels", QT_TRANSLATE_NOOP("diagnostics", "The data have no labels"), {
            QT_TRANSLATE_NOOP("diagnostics", "The data have no labels: they can be predicted on, not trained on."),
        }},
        {"data.problem.no-test", QT_TRANSLATE_NOOP("diagnostics", "There are no test samples"), {
            QT_TRANSLATE_NOOP("diagnostics", "There are no test samples: the accuracy on unseen data stays unknown."),
        }},
        {"data.problem.not-finite", QT_TRANSLATE_NOOP("diagnostics", "A sample is not finite"), {
            QT_TRANSLATE_NOOP("diagnostics", "A sample holds a number that is not finite: the loss will not be either."),
        }},
        {"data.problem.rare-class", QT_TRANSLATE_NOOP("diagnostics", "A class is rare"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 has only %2 training samples; an equal share would be %3."),
        }},
        {"data.replicas", QT_TRANSLATE_NOOP("diagnostics", "The batches do not fill the replicas"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 batches are fewer than the %2 replicas."),
            QT_TRANSLATE_NOOP("diagnostics", "There are fewer batches than replicas."),
            QT_TRANSLATE_NOOP("diagnostics", "Give each replica at least one batch."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 batches at the end of each epoch are dropped: they do not fill all replicas."),
        }},
        {"data.shape", QT_TRANSLATE_NOOP("diagnostics", "A shape does not go"), {
            QT_TRANSLATE_NOOP("diagnostics", "the shape %1 has a negative extent."),
            QT_TRANSLATE_NOOP("diagnostics", "the shape %1 is larger than any memory."),
            QT_TRANSLATE_NOOP("diagnostics", "The header is damaged, or this is not the kind of file it claims to be."),
        }},
        {"data.shape.count", QT_TRANSLATE_NOOP("diagnostics", "The numbers of samples differ"), {
            QT_TRANSLATE_NOOP("diagnostics", "there are more than 4,294,967,295 samples."),
            QT_TRANSLATE_NOOP("diagnostics", "there are %1 samples but %2 for input '%3' in %4."),
            QT_TRANSLATE_NOOP("diagnostics", "All inputs must have equally many samples, in the same order."),
            QT_TRANSLATE_NOOP("diagnostics", "there are %1 samples but %2 labels for output '%3' in %4."),
            QT_TRANSLATE_NOOP("diagnostics", "there are %1 samples but %2 weights in %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Every sample must have its own, in the same order."),
            QT_TRANSLATE_NOOP("diagnostics", "there are %1 samples but %2 labels in %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Samples and labels must be equally many and in the same order."),
        }},
        {"data.shape.weights", QT_TRANSLATE_NOOP("diagnostics", "A sample's weight is one number"), {
            QT_TRANSLATE_NOOP("diagnostics", "a sample's weight is one number, and here it is %1."),
            QT_TRANSLATE_NOOP("diagnostics", "Name another array in data.sample_weight."),
        }},
        {"data.shape.empty", QT_TRANSLATE_NOOP("diagnostics", "There are no samples"), {
            QT_TRANSLATE_NOOP("diagnostics", "there are no %1 samples."),
            QT_TRANSLATE_NOOP("diagnostics", "a %1 sample has no elements: the shape is %2."),
            QT_TRANSLATE_NOOP("diagnostics", "a split of %1 leaves %2 of %3 samples for training."),
            QT_TRANSLATE_NOOP("diagnostics", "Use another fraction, or 0."),
            QT_TRANSLATE_NOOP("diagnostics", "the array is a single number; its first extent must count samples."),
        }},
        {"data.shape.model", QT_TRANSLATE_NOOP("diagnostics", "Samples do not go with the model's input"), {
            QT_TRANSLATE_NOOP("diagnostics", "a sample is %1 but the model's input '%2' takes %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Change the model's input shape, or choose other data (data.path)."),
            QT_TRANSLATE_NOOP("diagnostics", "Every column but the label (data.label_column) is a sample's value. Change the model's input shape, or choose other data (data.path)."),
            QT_TRANSLATE_NOOP("diagnostics", "A sample is %1 but the model's input '%2' takes %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Change the model's input shape, or choose other data."),
        }},
        {"data.shape.test", QT_TRANSLATE_NOOP("diagnostics", "Test samples differ from training samples"), {
            QT_TRANSLATE_NOOP("diagnostics", "test samples are %1, training samples %2 in %3."),
            QT_TRANSLATE_NOOP("diagnostics", "test samples of input '%1' are %2, training samples %3 in %4."),
        }},
        {"data.value", QT_TRANSLATE_NOOP("diagnostics", "A value does not fit its type"), {
            QT_TRANSLATE_NOOP("diagnostics", "the %1 value %2 of record %3 does not fit in %4."),
            QT_TRANSLATE_NOOP("diagnostics", "Scale the data, or store it in a smaller type."),
        }},
        {"data.zip.directory", QT_TRANSLATE_NOOP("diagnostics", "The directory of an archive is damaged"), {}},
        {"data.zip.entry", QT_TRANSLATE_NOOP("diagnostics", "An entry of an archive cannot be read"), {
            QT_TRANSLATE_NOOP("diagnostics", "the compression method %1 is not supported."),
        }},
        {"data.unused", QT_TRANSLATE_NOOP("diagnostics", "A field of the data is not used"), {
            QT_TRANSLATE_NOOP("diagnostics", "a table has columns and no arrays to name: '%1' is passed over."),
            QT_TRANSLATE_NOOP("diagnostics", "Name the column of the labels in data.label_column; all others are a sample's values."),
        }},
    };
    return words;
}

} // namespace tilewright::views
