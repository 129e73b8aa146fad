#include "app/gui/settings_dialog.h"

#include "app/gui/settings.h"
#include "translations/translations.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLocale>

namespace tilewright::app {

using namespace views;

SettingsDialog::SettingsDialog(QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Settings"));
    auto *form = new QFormLayout(this);
    auto *theme = new QComboBox(this);
    theme->addItem(tr("As the desktop"), -1);
    theme->addItem(tr("Light"), static_cast<int>(ThemeKind::Light));
    theme->addItem(tr("Dark"), static_cast<int>(ThemeKind::Dark));
    theme->addItem(tr("High contrast"), static_cast<int>(ThemeKind::HighContrast));
    auto const choice = settings::themeChoice();
    theme->setCurrentIndex(theme->findData(choice ? static_cast<int>(*choice) : -1));
    connect(theme, &QComboBox::activated, this, [theme](int index) {
        int const kind = theme->itemData(index).toInt();
        settings::setThemeChoice(kind < 0 ? std::nullopt : std::optional(static_cast<ThemeKind>(kind)));
        applyTheme(*qApp, settings::effectiveTheme());
    });
    form->addRow(tr("&Theme"), theme);

    auto *language = new QComboBox(this);
    language->addItem(tr("As the desktop"), QString());
    for (auto const &code : translatedLanguages()) {
        QString name = QLocale(code).nativeLanguageName();
        if (code == QLatin1String("en")) name = QStringLiteral("English");
        language->addItem(name, code);
    }
    language->setCurrentIndex(std::max(0, language->findData(settings::language())));
    connect(language, &QComboBox::activated, this, [language](int index) {
        QString const code = language->itemData(index).toString();
        settings::setLanguage(code);
        installTranslation(*qApp, code.isEmpty() ? QLocale::system().name() : code);
    });
    form->addRow(tr("&Language"), language);

    auto *units = new QComboBox(this);
    units->addItem(tr("Binary (KiB, MiB)"), static_cast<int>(ByteUnits::Binary));
    units->addItem(tr("Decimal (kB, MB)"), static_cast<int>(ByteUnits::Decimal));
    units->addItem(tr("Plain bytes"), static_cast<int>(ByteUnits::Plain));
    units->setCurrentIndex(units->findData(static_cast<int>(settings::byteUnits())));
    connect(units, &QComboBox::activated, this, [units](int index) {
        settings::setByteUnits(static_cast<ByteUnits>(units->itemData(index).toInt()));
        applyTheme(*qApp, views::theme().kind);
    });
    form->addRow(tr("&Bytes"), units);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    form->addRow(buttons);
}

} // namespace tilewright::app
