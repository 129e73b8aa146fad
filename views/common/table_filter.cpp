#include "views/common/table_model.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace tilewright::views {

namespace {

struct Term {
    bool negated = false;
    int column = -1; ///< -1: any
    QChar compare;   ///< '<', '>', '=' or null
    double number = 0;
    bool isNumber = false;
    bool isAmount = false; ///< a number with its unit: cells that show the same amount match
    QString text;
    QRegularExpression pattern;
    bool isPattern = false;
};

/// "12k", "3 MiB", "40%", "1.5".
bool parseNumber(QString text, double &value)
{
    static constexpr std::pair<char const *, double> suffixes[] = {
        {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"b", 1}, {"k", 1e3}, {"m", 1e6},
        {"g", 1e9},      {"%", 0.01}};
    double factor = 1;
    text = text.toLower();
    for (auto const &[suffix, by] : suffixes)
        if (text.endsWith(QLatin1String(suffix))) {
            text.chop(static_cast<qsizetype>(qstrlen(suffix)));
            factor = by;
            break;
        }
    text = text.trimmed();
    bool ok = false;
    value = QLocale::c().toDouble(text, &ok);
    if (!ok) value = QLocale().toDouble(text, &ok);
    value *= factor;
    return ok;
}

bool isUnit(QString const &word)
{
    static QStringList const units{QStringLiteral("b"),  QStringLiteral("kib"), QStringLiteral("mib"), QStringLiteral("gib"),
                                   QStringLiteral("kb"), QStringLiteral("mb"),  QStringLiteral("gb"),  QStringLiteral("%")};
    return units.contains(word.toLower());
}

bool showsAmount(Term const &term, FilterCell const &cell)
{
    double shown = 0;
    return term.isAmount && parseNumber(cell.shown, shown) && shown == term.number;
}

/// By what the cell shows, and by its exact value.
bool matchesText(Term const &term, FilterCell const &cell)
{
    QString const exact = cell.value.toString();
    if (term.isPattern) return term.pattern.match(cell.shown).hasMatch() || term.pattern.match(exact).hasMatch();
    return cell.shown.contains(term.text, Qt::CaseInsensitive) || exact.contains(term.text, Qt::CaseInsensitive) || showsAmount(term, cell);
}

bool matches(Term const &term, int columns, std::function<FilterCell(int)> const &cell)
{
    bool found = false;
    if (!term.compare.isNull()) {
        QVariant const value = cell(term.column).value;
        if (term.isNumber) {
            bool ok = false;
            double const number = value.toDouble(&ok);
            found = ok
                && (term.compare == QLatin1Char('<')       ? number < term.number
                        : term.compare == QLatin1Char('>') ? number > term.number
                                                           : number == term.number);
        } else {
            FilterCell const text = cell(term.column);
            found =
                text.shown.compare(term.text, Qt::CaseInsensitive) == 0 || value.toString().compare(term.text, Qt::CaseInsensitive) == 0;
        }
    } else {
        for (int i = 0; i < columns && !found; ++i) found = matchesText(term, cell(i));
    }
    return found != term.negated;
}

/// The column whose title begins with (or contains a word beginning with) `name`.
int columnOf(QString const &name, QStringList const &columns)
{
    for (int pass = 0; pass < 3; ++pass)
        for (int i = 0; i < columns.size(); ++i) {
            QString const &title = columns[i];
            bool const hit = pass == 0 ? title.compare(name, Qt::CaseInsensitive) == 0
                : pass == 1            ? title.startsWith(name, Qt::CaseInsensitive)
                                       : title.contains(QLatin1Char(' ') + name, Qt::CaseInsensitive);
            if (hit) return i;
        }
    return -1;
}

/// Splits at spaces and commas outside of quotes and /…/; commas become words of their own.
QStringList words(QString const &text)
{
    QStringList out;
    QString word;
    QChar inside;
    auto const flush = [&] {
        if (!word.isEmpty()) out << word;
        word.clear();
    };
    for (QChar const c : text) {
        if (!inside.isNull()) {
            word += c;
            if (c == inside) inside = QChar();
        } else if (c == QLatin1Char('"') || (c == QLatin1Char('/') && (word.isEmpty() || word == QLatin1String("-")))) {
            inside = c;
            word += c;
        } else if (c.isSpace() || c == QLatin1Char(',')) {
            flush();
            if (c == QLatin1Char(',')) out << QStringLiteral(",");
        } else {
            word += c;
        }
    }
    flush();
    // "12 KiB" is one word, and so is the end of "bytes>12 KiB".
    for (qsizetype i = 1; i < out.size(); ++i)
        if (isUnit(out[i]) && out[i - 1].back().isDigit()) {
            out[i - 1] += QLatin1Char(' ') + out[i];
            out.removeAt(i--);
        }
    return out;
}

} // namespace

RowFilter parseFilter(QString const &text, QStringList const &columns, QString *error)
{
    auto const fail = [&](QString const &why) {
        if (error) *error = why;
        return RowFilter();
    };
    if (error) error->clear();
    std::vector<std::vector<Term>> alternatives(1);
    for (QString word : words(text)) {
        if (word == QLatin1String(",")) {
            if (!alternatives.back().empty()) alternatives.emplace_back();
            continue;
        }
        Term term;
        if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
            term.negated = true;
            word.remove(0, 1);
        }
        if (word.size() > 1 && word.startsWith(QLatin1Char('/'))) {
            if (!word.endsWith(QLatin1Char('/')) || word.size() < 2)
                return fail(QCoreApplication::translate("views", "The pattern %1 needs a second /.").arg(word));
            term.isPattern = true;
            term.pattern = QRegularExpression(word.mid(1, word.size() - 2), QRegularExpression::CaseInsensitiveOption);
            if (!term.pattern.isValid())
                return fail(QCoreApplication::translate("views", "The pattern cannot be read: %1.").arg(term.pattern.errorString()));
            alternatives.back().push_back(term);
            continue;
        }
        qsizetype const at = word.indexOf(QRegularExpression(QStringLiteral("[<>=]")));
        if (at > 0) {
            term.compare = word[at];
            term.column = columnOf(word.left(at).remove(QLatin1Char('"')), columns);
            if (term.column < 0) return fail(QCoreApplication::translate("views", "There is no column '%1'.").arg(word.left(at)));
            term.text = word.mid(at + 1).remove(QLatin1Char('"'));
            term.isNumber = parseNumber(term.text, term.number);
            if (!term.isNumber && term.compare != QLatin1Char('='))
                return fail(QCoreApplication::translate("views", "'%1' is no number.").arg(term.text));
        } else {
            term.text = word.remove(QLatin1Char('"'));
            if (term.text.isEmpty()) continue;
            term.isAmount = isUnit(term.text.section(QLatin1Char(' '), -1)) && parseNumber(term.text, term.number);
        }
        alternatives.back().push_back(term);
    }
    if (alternatives.back().empty()) alternatives.pop_back();
    if (alternatives.empty()) return {};
    int const count = static_cast<int>(columns.size());
    return [alternatives, count](std::function<FilterCell(int)> const &cell) {
        return std::any_of(alternatives.begin(), alternatives.end(), [&](auto const &terms) {
            return std::all_of(terms.begin(), terms.end(), [&](Term const &term) { return matches(term, count, cell); });
        });
    };
}

} // namespace tilewright::views
