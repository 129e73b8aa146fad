#include "app/gui/settings_dialog.h"

#include "app/gui/settings.h"
#include "translations/translations.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>

namespace tilewright::app {

using namespace views;

SettingsDialog::SettingsDialog(QWidget *parent) : QDialog(parent)
{
    m_form = new QFormLayout(this);
    auto *theme = m_theme = new QComboBox(this);
    for (int const kind :
         {-1, static_cast<int>(ThemeKind::Light), static_cast<int>(ThemeKind::Dark), static_cast<int>(ThemeKind::HighContrast)})
        theme->addItem({}, kind);
    auto const choice = settings::themeChoice();
    theme->setCurrentIndex(theme->findData(choice ? static_cast<int>(*choice) : -1));
    connect(theme, &QComboBox::activated, this, [theme](int index) {
        int const kind = theme->itemData(index).toInt();
        settings::setThemeChoice(kind < 0 ? std::nullopt : std::optional(static_cast<ThemeKind>(kind)));
        applyTheme(*qApp, settings::effectiveTheme());
    });
    m_form->addRow(QStringLiteral(" "), theme);

    auto *language = m_language = new QComboBox(this);
    language->addItem({}, QString());
    for (auto const &code : translatedLanguages()) {
        QString name = QLocale(code).nativeLanguageName();
        if (code == QLatin1String("en")) name = QStringLiteral("English");
        language->addItem(name, code);
    }
    language->setCurrentIndex(std::max(0, language->findData(settings::language())));
    connect(language, &QComboBox::activated, this, [language](int index) {
        QString const code = language->itemData(index).toString();
        settings::setLanguage(code);
        installTranslation(*qApp, code);
    });
    m_form->addRow(QStringLiteral(" "), language);

    auto *units = m_units = new QComboBox(this);
    for (auto const unit : {ByteUnits::Binary, ByteUnits::Decimal, ByteUnits::Plain}) units->addItem({}, static_cast<int>(unit));
    units->setCurrentIndex(units->findData(static_cast<int>(settings::byteUnits())));
    connect(units, &QComboBox::activated, this, [units](int index) {
        settings::setByteUnits(static_cast<ByteUnits>(units->itemData(index).toInt()));
        applyTheme(*qApp, views::theme().kind);
    });
    m_form->addRow(QStringLiteral(" "), units);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    m_form->addRow(buttons);
    retranslate();
}

void SettingsDialog::retranslate()
{
    setWindowTitle(tr("Settings"));
    setMinimumWidth(fontMetrics().averageCharWidth() * 60); // wide enough for its title and the program's name
    auto const put = [this](QComboBox *box, QString const &label, QStringList const &texts) {
        static_cast<QLabel *>(m_form->labelForField(box))->setText(label);
        for (int i = 0; i < texts.size(); ++i) box->setItemText(i, texts[i]);
    };
    put(m_theme, tr("&Theme"), {tr("As the desktop"), tr("Light"), tr("Dark"), tr("High contrast")});
    put(m_language, tr("&Language"), {tr("As the desktop")});
    put(m_units, tr("&Bytes"), {tr("Binary (KiB, MiB)"), tr("Decimal (kB, MB)"), tr("Plain bytes")});
}

void SettingsDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_units) retranslate();
}

} // namespace tilewright::app
