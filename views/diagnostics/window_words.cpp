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
        {"open.data",
         QT_TRANSLATE_NOOP("diagnostics", "Data need a project"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "data need a project that uses them."),
             QT_TRANSLATE_NOOP("diagnostics", "Open or make a project first."),
         }},
        {"open.missing",
         QT_TRANSLATE_NOOP("diagnostics", "A file cannot be read"),
         {
             QT_TRANSLATE_NOOP("diagnostics", "the file cannot be read."),
             QT_TRANSLATE_NOOP("diagnostics", "Check that it exists and that you may read it."),
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
