#include "views/diagnostics/phase_text.h"

#include <QCoreApplication>
#include <QSet>

namespace tilewright::views {

namespace {

QSet<QString> const &known()
{
    static QSet<QString> const words = [] {
        QSet<QString> all;
        for (char const *word : {QT_TRANSLATE_NOOP("views", "Run thread"),
                                 QT_TRANSLATE_NOOP("views", "Calls"),
                                 QT_TRANSLATE_NOOP("views", "Streams to the device"),
                                 QT_TRANSLATE_NOOP("views", "Infeed thread"),
                                 QT_TRANSLATE_NOOP("views", "Data thread"),
                                 QT_TRANSLATE_NOOP("views", "Compile"),
                                 QT_TRANSLATE_NOOP("views", "Epoch"),
                                 QT_TRANSLATE_NOOP("views", "Validation"),
                                 QT_TRANSLATE_NOOP("views", "Execute"),
                                 QT_TRANSLATE_NOOP("views", "Copy to the device"),
                                 QT_TRANSLATE_NOOP("views", "Gather micro-batch"),
                                 QT_TRANSLATE_NOOP("views", "Generate data"),
                                 QT_TRANSLATE_NOOP("views", "Open data"),
                                 QT_TRANSLATE_NOOP("views", "Cache look-up"),
                                 QT_TRANSLATE_NOOP("views", "Model to graph"),
                                 QT_TRANSLATE_NOOP("views", "Graph optimisations"),
                                 QT_TRANSLATE_NOOP("views", "Graph construction"),
                                 QT_TRANSLATE_NOOP("views", "Exchange and schedule"),
                                 QT_TRANSLATE_NOOP("views", "Memory allocation"),
                                 QT_TRANSLATE_NOOP("views", "Planning for less memory"),
                                 QT_TRANSLATE_NOOP("views", "Cache store"),
                                 QT_TRANSLATE_NOOP("views", "Report detail"),
                                 QT_TRANSLATE_NOOP("views", "Pre-planning operations"),
                                 QT_TRANSLATE_NOOP("views", "Graph compilation"),
                                 QT_TRANSLATE_NOOP("views", "Writing the report"),
                                 QT_TRANSLATE_NOOP("views", "Passes"),
                                 QT_TRANSLATE_NOOP("views", "Planning"),
                                 QT_TRANSLATE_NOOP("views", "Train"),
                                 QT_TRANSLATE_NOOP("views", "Evaluate"),
                                 QT_TRANSLATE_NOOP("views", "Predict"),
                                 QT_TRANSLATE_NOOP("views", "Verify"),
                                 QT_TRANSLATE_NOOP("views", "Conformance"),
                                 QT_TRANSLATE_NOOP("views", "Waiting for another process that compiles the same"),
                                 QT_TRANSLATE_NOOP("views", "Checking the cache"),
                                 QT_TRANSLATE_NOOP("views", "Generating data"),
                                 QT_TRANSLATE_NOOP("views", "Reading data"),
                                 QT_TRANSLATE_NOOP("views", "Wait for a device"),
                                 QT_TRANSLATE_NOOP("views", "Zoom levels"),
                                 QT_TRANSLATE_NOOP("views", "Trial compiles"),
                                 QT_TRANSLATE_NOOP("views", "Copying checkpoints")})
            all.insert(QString::fromUtf8(word));
        return all;
    }();
    return words;
}

} // namespace

QString phaseText(QString const &english)
{
    constexpr QLatin1String compiling("Compiling: ");
    QString text = english.startsWith(compiling) ? english.mid(compiling.size()) : english;
    QString word = text;
    if (!word.isEmpty()) word[0] = word[0].toUpper();
    if (known().contains(word)) return QCoreApplication::translate("views", word.toUtf8().constData());
    return english.startsWith(compiling) ? word : english;
}

} // namespace tilewright::views
