#include "views/diagnostics/diagnostic_text.h"

#include "views/diagnostics/registry_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace tilewright::views {

namespace {

/// The contexts of the patterns of Message::of: lupdate leaves the namespace out where it cannot resolve the function around the call.
constexpr char const *kContexts[] = {"tilewright::Message", "Message"};

QString translatedPattern(std::string const &english)
{
    QString const pattern = QString::fromStdString(english);
    for (auto const *context : kContexts)
        if (QString text = QCoreApplication::translate(context, english.c_str()); text != pattern) return text;
    return pattern;
}

/// "19.8 KiB" with the reader's decimal point and groups.
QString figureText(std::string const &english)
{
    QLocale const locale;
    QString text;
    for (QChar const c : QString::fromStdString(english)) {
        if (c == QLatin1Char(',')) text += locale.groupSeparator();
        else if (c == QLatin1Char('.')) text += locale.decimalPoint();
        else text += c;
    }
    return text;
}

QString argumentText(Argument const &argument)
{
    switch (argument.kind()) {
    case Argument::Kind::Whole: return QLocale().toString(static_cast<qlonglong>(argument.whole()));
    case Argument::Kind::Figure: return figureText(argument.text());
    case Argument::Kind::Message: return messageText(argument.message());
    case Argument::Kind::Text: break;
    }
    return QString::fromStdString(argument.text());
}

} // namespace

QString messageText(Message const &message)
{
    auto const &arguments = message.arguments();
    QString text;
    if (message.pattern().empty()) {
        for (auto const &part : arguments) text += argumentText(part);
        return arguments.empty() ? registryText(message.text()) : text;
    }
    static QRegularExpression const place(QStringLiteral("%([1-9])"));
    QString const pattern = translatedPattern(message.pattern());
    qsizetype at = 0;
    auto places = place.globalMatch(pattern);
    while (places.hasNext()) {
        auto const found = places.next();
        auto const index = found.captured(1).toUInt() - 1;
        text += pattern.mid(at, found.capturedStart() - at);
        if (index < arguments.size()) text += argumentText(arguments[index]);
        at = found.capturedEnd();
    }
    return text + pattern.mid(at);
}

DiagnosticText diagnosticText(Diagnostic const &diagnostic) { return {messageText(diagnostic.message), messageText(diagnostic.remedy)}; }

QString sentence(QString text)
{
    text = text.trimmed();
    if (text.isEmpty()) return text;
    // The name of a field keeps its spelling at the beginning of a sentence.
    QString const first = text.section(QLatin1Char(' '), 0, 0);
    if (!first.contains(QLatin1Char('_')) && !first.contains(QLatin1Char('.'))) text[0] = text[0].toUpper();
    static QString const ends = QStringLiteral(".?!…:");
    if (!ends.contains(text.back())) text += QLatin1Char('.');
    return text;
}

QString diagnosticSentences(Diagnostic const &diagnostic)
{
    auto const text = diagnosticText(diagnostic);
    return (sentence(text.message) + QLatin1Char(' ') + sentence(text.remedy)).trimmed();
}

QString subjectText(Diagnostic const &diagnostic)
{
    // The only subject that is no name: the place of a tile, as the engine writes it.
    QString const subject = QString::fromStdString(diagnostic.subject);
    static QRegularExpression const place(QStringLiteral("^IPU (\\d+) tile (\\d+)$"));
    auto const tile = place.match(subject);
    return tile.hasMatch() ? QCoreApplication::translate("views", "IPU %1 tile %2").arg(tile.captured(1), tile.captured(2)) : subject;
}

QString diagnosticLine(Diagnostic const &diagnostic)
{
    QString const said = diagnosticSentences(diagnostic), subject = subjectText(diagnostic);
    return subject.isEmpty() ? said : subject + QStringLiteral(": ") + said;
}

} // namespace tilewright::views
