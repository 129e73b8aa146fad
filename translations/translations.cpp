#include "translations/translations.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QRegularExpression>

static void initTranslationResources()
{
    Q_INIT_RESOURCE(tilewright_translations);
}

namespace tilewright {

namespace {

QString ownName() { return QStringLiteral("tilewright-translator"); }

void install(QTranslator *translator)
{
    translator->setObjectName(ownName());
    QApplication::installTranslator(translator);
}

QChar accented(QChar letter)
{
    static QString const plain = QStringLiteral("aceginosuyzACEGINOSUYZ");
    static QString const marked = QStringLiteral("áçéğíñöşüýžÁÇÉĞÍÑÖŞÜÝŽ");
    auto const at = plain.indexOf(letter);
    return at < 0 ? letter : marked[at];
}

} // namespace

QStringList translatedLanguages() { return QStringLiteral(TILEWRIGHT_LANGUAGES).split(QLatin1Char(',')); }

QString pseudoText(QString const &text)
{
    if (text.trimmed().isEmpty()) return text;
    // A dialog of files reads patterns in parentheses at the end, of several kinds between semicolons.
    if (QString const seam = QStringLiteral(";;"); text.contains(seam)) {
        QStringList kinds;
        for (auto const &kind : text.split(seam)) kinds << pseudoText(kind);
        return kinds.join(seam);
    }
    static QRegularExpression const patterns(QStringLiteral("^(.*\\S)(\\s*\\(\\*[^)]*\\))$"));
    if (auto const files = patterns.match(text); files.hasMatch()) return pseudoText(files.captured(1)) + files.captured(2);
    // tags, entities, placeholders and mnemonics are no letters to play with
    static QRegularExpression const kept(QStringLiteral("<[^>]*>|&\\w+;|%L?\\d{1,2}|%L?n|&|\\]\\([^)]*\\)|`[^`]*`"));
    QString result;
    qsizetype at = 0;
    auto const accent = [&](qsizetype end) {
        for (; at < end; ++at) result += accented(text[at]);
    };
    auto matches = kept.globalMatch(text);
    while (matches.hasNext()) {
        auto const match = matches.next();
        accent(match.capturedStart());
        result += match.captured();
        at = match.capturedEnd();
    }
    accent(text.size());
    auto const extra = text.size() < 20 ? (text.size() * 3 + 4) / 5 : text.size() * 2 / 5;
    QString padding;
    while (padding.size() < extra) padding += padding.size() % 6 == 0 ? QLatin1Char(' ') : QChar(0x00B7);
    return QLatin1Char('[') + result + padding + QLatin1Char(']');
}

QString PseudoTranslator::translate(char const *context, char const *source, char const *, int) const
{
    auto const where = QString::fromUtf8(context);
    auto const text = QString::fromUtf8(source);
    if (text == QLatin1String("QT_LAYOUT_DIRECTION")) return m_mirrored ? QStringLiteral("RTL") : QStringLiteral("LTR");
    if (where.startsWith(QLatin1Char('Q')) && where.size() > 1 && where[1].isUpper()) return {}; // Qt's own words
    return pseudoText(text);
}

void installTranslation(QApplication &application, QString const &name)
{
    initTranslationResources();
    auto const old = application.findChildren<QTranslator *>(ownName());
    for (auto *translator : old) {
        QApplication::removeTranslator(translator);
        delete translator;
    }
    bool const longer = name == QLatin1String("xx"), mirrored = name == QLatin1String("xr");
    if (longer || mirrored) {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        application.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        install(new PseudoTranslator(mirrored, &application));
        return;
    }
    // As the desktop; the C locale groups no digits: people get English then.
    QString const asked = name.isEmpty() ? QLocale::system().name() : name;
    QLocale const locale(asked == QLatin1String("C") ? QStringLiteral("en_US") : asked);
    QLocale::setDefault(locale);
    // Qt's own words first: what is installed later is asked first
    auto *qt = new QTranslator(&application);
    if (qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath))) install(qt);
    else delete qt;
    auto *ours = new QTranslator(&application);
    if (ours->load(locale, QStringLiteral("tilewright"), QStringLiteral("_"), QStringLiteral(":/i18n"))) install(ours);
    else delete ours;
    // A mirrored layout wants texts that read that way: without a translation everything stays left to right.
    bool const translated = translatedLanguages().contains(locale.name().section(QLatin1Char('_'), 0, 0));
    application.setLayoutDirection(translated ? locale.textDirection() : Qt::LeftToRight);
}

void installTranslation(QApplication &application, QLocale const &locale) { installTranslation(application, locale.name()); }

} // namespace tilewright
