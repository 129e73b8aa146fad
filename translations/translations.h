#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <QTranslator>

class QApplication;

namespace tilewright {

/// Languages the program can be shown in, English first: the list of translations/CMakeLists.txt.
QStringList translatedLanguages();

/// Shows the program in a language and lets numbers and dates follow it (QLocale::setDefault); every widget gets a
/// LanguageChange event. `name`: a locale ("de", "de_AT", "fr": languages without a translation stay English), empty for the desktop's, or
/// one of the two that only tests use: "xx" makes every text longer and accented, "xr" also mirrors the layout.
/// Replaces the language shown before. GUI thread.
void installTranslation(QApplication &application, QString const &name);
void installTranslation(QApplication &application, QLocale const &locale);

/// The text as the pseudo-locale "xx" shows it: accented and some 40 % longer; marks (%1, %n, &, tags) stay.
QString pseudoText(QString const &text);

/// Makes a translation of every text of the program by pseudoText(); texts of Qt itself stay.
class PseudoTranslator : public QTranslator {
public:
    PseudoTranslator(bool mirrored, QObject *parent) : QTranslator(parent), m_mirrored(mirrored) {}
    QString translate(char const *context, char const *source, char const *disambiguation, int n) const override;
    bool isEmpty() const override { return false; }

private:
    bool m_mirrored;
};

} // namespace tilewright
