#include "views/diagnostics/diagnostic_words.h"

#include <QCoreApplication>

namespace tilewright::views {

// Of the window itself: what its files say besides the engine's.
std::vector<CodeWords> const &windowWords()
{
    static std::vector<CodeWords> const words{
        {"history.no-project",
         QT_TRANSLATE_NOOP("diagnostics", "A run did not keep its project"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this run did not keep its project."),
             QT_TRANSLATE_NOOP("diagnostics", "Runs started from the workbench keep it."),
         }},
        {"history.not-deleted",
         QT_TRANSLATE_NOOP("diagnostics", "A report cannot be deleted"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the report cannot be deleted."),
             QT_TRANSLATE_NOOP("diagnostics", "Check who may write there."),
         }},
        {"open.archive",
         QT_TRANSLATE_NOOP("diagnostics", "An archive holds no data"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this archive holds no NumPy arrays."),
             QT_TRANSLATE_NOOP("diagnostics", "Archives of data have arrays such as x_train.npy and y_train.npy."),
         }},
        {"open.data",
         QT_TRANSLATE_NOOP("diagnostics", "Data need a project"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this file holds data, and no project is open."),
             QT_TRANSLATE_NOOP("diagnostics", "Open or create a project first, then open the data again."),
         }},
        {"open.empty",
         QT_TRANSLATE_NOOP("diagnostics", "A file is empty"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the file is empty."),
             QT_TRANSLATE_NOOP("diagnostics", "Choose a file with content."),
         }},
        {"open.folder",
         QT_TRANSLATE_NOOP("diagnostics", "A folder holds no data"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the folder holds no data with the usual names."),
             QT_TRANSLATE_NOOP("diagnostics", "Data folders hold for example x_train.npy and y_train.npy, or the four files of MNIST."),
         }},
        {"open.hdf5",
         QT_TRANSLATE_NOOP("diagnostics", "An HDF5 file cannot be opened yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is an HDF5 file (.h5), which cannot be opened yet."),
             QT_TRANSLATE_NOOP("diagnostics",
                               "Write a model with model.to_json() in Keras, or data with numpy.savez(), and open that file."),
         }},
        {"open.keras",
         QT_TRANSLATE_NOOP("diagnostics", "A .keras model cannot be opened yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a model in the .keras format, which cannot be opened yet."),
             QT_TRANSLATE_NOOP("diagnostics", "Write the model with model.to_json() in Keras and open that file."),
         }},
        {"open.missing",
         QT_TRANSLATE_NOOP("diagnostics", "A file cannot be read"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the file cannot be read."),
             QT_TRANSLATE_NOOP("diagnostics", "Check that it exists and that you may read it."),
         }},
        {"open.onnx",
         QT_TRANSLATE_NOOP("diagnostics", "An ONNX model cannot be opened yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is an ONNX model, which cannot be opened yet."),
             QT_TRANSLATE_NOOP("diagnostics", "Build the model in Keras, write it with model.to_json() and open that file."),
         }},
        {"open.packed",
         QT_TRANSLATE_NOOP("diagnostics", "A compressed file cannot be opened"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a compressed file."),
             QT_TRANSLATE_NOOP("diagnostics", "Unpack it and open what it holds."),
         }},
        {"open.picture",
         QT_TRANSLATE_NOOP("diagnostics", "A picture cannot be opened"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a picture, which cannot be opened."),
             QT_TRANSLATE_NOOP("diagnostics", "Pictures that are data go into one array: write them with numpy.savez()."),
         }},
        {"open.python",
         QT_TRANSLATE_NOOP("diagnostics", "A Python script cannot be opened yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a Python script, which cannot be opened yet."),
             QT_TRANSLATE_NOOP("diagnostics", "Write its model with model.to_json() and open that file."),
         }},
        {"open.special",
         QT_TRANSLATE_NOOP("diagnostics", "A device cannot be opened"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a device or a pipe."),
             QT_TRANSLATE_NOOP("diagnostics", "Name a regular file."),
         }},
        {"open.tensorflow-js",
         QT_TRANSLATE_NOOP("diagnostics", "A TensorFlow.js model cannot be opened yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a model of TensorFlow.js, which cannot be opened yet."),
             QT_TRANSLATE_NOOP("diagnostics", "Write the model with model.to_json() in Keras and open that file."),
         }},
        {"open.text",
         QT_TRANSLATE_NOOP("diagnostics", "A text cannot be opened"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this is a text without a table of numbers."),
             QT_TRANSLATE_NOOP("diagnostics",
                               "The window opens projects, reports, Keras models as JSON, and data as .npz, .npy, IDX or tables."),
         }},
        {"open.unknown",
         QT_TRANSLATE_NOOP("diagnostics", "A kind of file cannot be opened"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this kind of file cannot be opened."),
             QT_TRANSLATE_NOOP("diagnostics",
                               "The window opens projects, reports, Keras models as JSON, and data as .npz, .npy, IDX or tables."),
         }},
        {"open.weights",
         QT_TRANSLATE_NOOP("diagnostics", "Weights cannot be loaded yet"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this archive holds trained weights."),
             QT_TRANSLATE_NOOP("diagnostics", "The window cannot load weights yet: give the file to tilewright predict or train --resume."),
         }},
        {"predict.classes",
         QT_TRANSLATE_NOOP("diagnostics", "The model gives no classes"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the model's output is no list of class scores."),
             QT_TRANSLATE_NOOP("diagnostics", "Samples with predictions are shown for classifiers only."),
         }},
        {"project.changed-elsewhere",
         QT_TRANSLATE_NOOP("diagnostics", "A project was changed by another program"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the project was changed by another program since it was opened here."),
             QT_TRANSLATE_NOOP("diagnostics", "Save it under another name, or overwrite what the other program saved."),
         }},
        {"project.no-autosave",
         QT_TRANSLATE_NOOP("diagnostics", "There is nothing to recover"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "there is nothing to recover."),
             QT_TRANSLATE_NOOP("diagnostics", "Open the project itself."),
         }},
        {"project.checkpoints-not-copied",
         QT_TRANSLATE_NOOP("diagnostics", "Checkpoints were not copied"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "its checkpoints were not all copied: copying was cancelled."),
             QT_TRANSLATE_NOOP("diagnostics", "They are in the project that it was saved from: %1."),
         }},
        {"project.report-not-kept",
         QT_TRANSLATE_NOOP("diagnostics", "A report is not kept with its project"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the report cannot be copied to %1: %2."),
             QT_TRANSLATE_NOOP("diagnostics", "It stays where it is; the entry of the run points there."),
         }},
        {"report.cancelled",
         QT_TRANSLATE_NOOP("diagnostics", "Reading a report was cancelled"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "reading the report was cancelled."),
             QT_TRANSLATE_NOOP("diagnostics", "Read it again."),
         }},
        {"report.no-file",
         QT_TRANSLATE_NOOP("diagnostics", "A report is no file"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "this report is no file, so there is nothing to query."),
         }},
        {"run.detached-ended",
         QT_TRANSLATE_NOOP("diagnostics", "A detached run ended early"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the run that went on in a process of its own ended before its report began."),
             QT_TRANSLATE_NOOP("diagnostics", "Runs says why it ended; the checkpoint 'last' is in the project."),
         }},
        {"run.detach",
         QT_TRANSLATE_NOOP("diagnostics", "A run cannot go on by itself"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the command line program cannot be started."),
             QT_TRANSLATE_NOOP("diagnostics", "Install tilewright beside tilewright-gui; the checkpoint 'last' is in the project."),
         }},
    };
    return words;
}

} // namespace tilewright::views
