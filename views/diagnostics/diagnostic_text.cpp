#include "views/diagnostics/diagnostic_text.h"

#include "views/diagnostics/diagnostic_words.h"
#include "views/diagnostics/registry_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr char kContext[] = "diagnostics";
constexpr char kMessages[] = "tilewright::Message"; ///< where lupdate puts the patterns of Message::of
constexpr char kShared[] = "*";
constexpr int kMostNested = 3;   ///< a value that is a message itself, with values …
constexpr int kLeastNested = 16; ///< letters a message of another code has in common with a value that is one

QRegularExpression const &places()
{
    static QRegularExpression const mark(QStringLiteral("%([1-9])"));
    return mark;
}

QString withoutStop(QString const &text) { return text.endsWith(QLatin1Char('.')) ? text.chopped(1) : text; }

/// What a pattern says besides its values.
qsizetype lettersOf(QString pattern) { return pattern.remove(places()).size(); }

/// "841,844" as the reader's language groups it, and "19.8 KiB" with its decimal point; `alone`: the value is no part of something
/// that is typed, so that "0.05" is a number, too. The engine says numbers in English.
QString localNumbers(QString value, bool alone)
{
    QLocale const locale;
    QString const separator = locale.groupSeparator(), point = locale.decimalPoint();
    if (separator == QLatin1String(",") && point == QLatin1String(".")) return value;
    static QRegularExpression const number(
        QStringLiteral("(?<![\\w.,=/-])\\d+(?:,\\d{3})*\\.\\d+(?= ?(?:%|[KMGT]?i?B\\b|kB\\b|[nµm]?s\\b|min\\b|h\\b))"
                       "|(?<![\\d.,])\\d{1,3}(?:,\\d{3})+(?![\\d,])"));
    static QRegularExpression const whole(QStringLiteral("^-?\\d+\\.\\d+(?:e[-+]?\\d+)?$"));
    auto const local = [&](QString const &english) {
        QString text;
        for (QChar const c : english) text += c == QLatin1Char(',') ? separator : c == QLatin1Char('.') ? point : QString(c);
        return text;
    };
    if (alone && whole.match(value).hasMatch()) return local(value);
    qsizetype at = 0;
    for (auto match = number.match(value); match.hasMatch(); match = number.match(value, at)) {
        QString const said = local(match.captured());
        value.replace(match.capturedStart(), match.capturedLength(), said);
        at = match.capturedStart() + said.size();
    }
    return value;
}

QString withValues(QString const &translation, QStringList const &values)
{
    QString result;
    qsizetype at = 0;
    auto marks = places().globalMatch(translation);
    while (marks.hasNext()) {
        auto const mark = marks.next();
        result += translation.mid(at, mark.capturedStart() - at);
        bool const alone = result.isEmpty() || result.endsWith(QLatin1Char(' ')) || result.endsWith(QLatin1Char('('));
        result += localNumbers(values.value(mark.captured(1).toInt() - 1), alone);
        at = mark.capturedEnd();
    }
    return result + translation.mid(at);
}

struct Found {
    char const *pattern = nullptr;
    QStringList values;
    qsizetype letters = -1;
    /// The pattern that leaves least to values.
    void look(QString const &text, CodeWords const &words, qsizetype least)
    {
        for (char const *each : words.texts) {
            QString const form = QString::fromUtf8(each);
            qsizetype const said = lettersOf(form);
            if (said <= letters || said < least) continue;
            if (auto found = valuesIn(text, form)) *this = {each, *found, said};
        }
    }
};

QString translated(QString const &text, CodeWords const *words, int depth);

/// Words of the engine within a message: "an integer of at least 1", or the message of what caused it.
QString translatedValue(QString const &value, CodeWords const *words, int depth)
{
    if (depth >= kMostNested || value.isEmpty()) return value;
    Found found;
    found.look(value, *wordsOf(kShared), 1);
    if (words) found.look(value, *words, kLeastNested);
    if (!found.pattern)
        for (auto const *other : diagnosticWords()) found.look(value, *other, kLeastNested);
    if (!found.pattern) return value.contains(QLatin1Char(' ')) ? registryText(value.toStdString()) : value; // one word is a name
    QStringList values;
    for (auto const &one : found.values) values << translatedValue(one, words, depth + 1);
    return withValues(QCoreApplication::translate(kContext, found.pattern), values);
}

QString translated(QString const &text, CodeWords const *words, int depth)
{
    if (text.isEmpty()) return text;
    Found found;
    if (words) found.look(text, *words, 0);
    found.look(text, *wordsOf(kShared), 0);
    if (!found.pattern) return {};
    QStringList values;
    for (auto const &one : found.values) values << translatedValue(one, words, depth + 1);
    QString result = withValues(QCoreApplication::translate(kContext, found.pattern), values);
    bool const stop = text.endsWith(QLatin1Char('.'));
    if (stop && !result.endsWith(QLatin1Char('.'))) result += QLatin1Char('.');
    return !stop && QString::fromUtf8(found.pattern).endsWith(QLatin1Char('.')) ? withoutStop(result) : result;
}

QString argumentText(Argument const &argument)
{
    switch (argument.kind()) {
    case Argument::Kind::Whole: return QLocale().toString(static_cast<qlonglong>(argument.whole()));
    case Argument::Kind::Figure: return localNumbers(QString::fromStdString(argument.text()), true);
    case Argument::Kind::Message: return messageText(argument.message());
    case Argument::Kind::Text: break;
    }
    return QString::fromStdString(argument.text());
}

} // namespace

QString messageText(Message const &message)
{
    if (message.pattern().empty() && message.arguments().empty()) return registryText(message.text());
    QString text;
    if (message.pattern().empty()) {
        for (auto const &part : message.arguments()) text += argumentText(part);
        return text;
    }
    QString const pattern = QCoreApplication::translate(kMessages, message.pattern().c_str());
    qsizetype at = 0;
    auto marks = places().globalMatch(pattern);
    while (marks.hasNext()) {
        auto const mark = marks.next();
        auto const place = mark.captured(1).toUInt() - 1;
        text += pattern.mid(at, mark.capturedStart() - at);
        if (place < message.arguments().size()) text += argumentText(message.arguments()[place]);
        at = mark.capturedEnd();
    }
    return text + pattern.mid(at);
}

std::optional<QStringList> valuesIn(QString const &text, QString const &pattern)
{
    QString const said = withoutStop(text), form = withoutStop(pattern);
    QString expression;
    QList<int> order;
    qsizetype at = 0;
    auto marks = places().globalMatch(form);
    while (marks.hasNext()) {
        auto const mark = marks.next();
        QString const literal = form.mid(at, mark.capturedStart() - at);
        if (!literal.isEmpty() && !said.contains(literal)) return std::nullopt;
        expression += QRegularExpression::escape(literal) + QStringLiteral("(.+?)");
        order << mark.captured(1).toInt();
        at = mark.capturedEnd();
    }
    QString const rest = form.mid(at);
    if (!said.endsWith(rest)) return std::nullopt;
    if (order.isEmpty()) return said == rest ? std::optional(QStringList()) : std::nullopt;
    expression += QRegularExpression::escape(rest);
    auto const match =
        QRegularExpression(QRegularExpression::anchoredPattern(expression), QRegularExpression::DotMatchesEverythingOption).match(said);
    if (!match.hasMatch()) return std::nullopt;
    QStringList values;
    for (int i = 0; i < order.size(); ++i) {
        int const place = order[i] - 1;
        while (values.size() <= place) values << QString();
        values[place] = match.captured(i + 1);
    }
    return values;
}

DiagnosticText diagnosticText(Diagnostic const &diagnostic)
{
    auto const *words = wordsOf(diagnostic.code);
    QString const message = QString::fromStdString(diagnostic.message), remedy = QString::fromStdString(diagnostic.remedy);
    auto const said = [&](Message const &each, QString const &english) {
        return each.arguments().empty() && each.pattern().empty() ? translated(english, words, 0) : messageText(each);
    };
    DiagnosticText text{said(diagnostic.message, message), said(diagnostic.remedy, remedy)};
    if (text.message.isEmpty() && words) {
        // English needs no title: the message says it better.
        QString const title = QCoreApplication::translate(kContext, words->title);
        if (title != QString::fromUtf8(words->title)) text.message = message.isEmpty() ? title : title + QStringLiteral(": ") + message;
    }
    if (text.message.isEmpty()) text.message = message;
    if (text.remedy.isEmpty()) text.remedy = registryText(diagnostic.remedy.text());
    return text;
}

QString engineText(QString const &english)
{
    QString const text = translated(english, nullptr, 0);
    return text.isEmpty() ? english : text;
}

QString sentence(QString text)
{
    text = text.trimmed();
    if (text.isEmpty()) return text;
    // A name of a field that stands first is written as it is.
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
    QString const subject = QString::fromStdString(diagnostic.subject);
    char const *const tile = QT_TRANSLATE_NOOP("diagnostics", "IPU %1 tile %2");
    auto const numbers = valuesIn(subject, QLatin1String(tile));
    return numbers ? withValues(QCoreApplication::translate(kContext, tile), *numbers) : subject;
}

QString diagnosticLine(Diagnostic const &diagnostic)
{
    QString const said = diagnosticSentences(diagnostic), subject = subjectText(diagnostic);
    return subject.isEmpty() ? said : subject + QStringLiteral(": ") + said;
}

} // namespace tilewright::views
