#include "views/modeledit/layer_family.h"

#include "engine/model/layer_families.h"
#include "engine/model/layer_spec.h"
#include "views/diagnostics/registry_text.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kFirst = static_cast<int>(Token::FamilyInput), kOther = static_cast<int>(Token::FamilyOther);

} // namespace

Token familyToken(std::string_view category)
{
    auto const families = model::layerFamilies();
    auto const at = std::ranges::find(families, category, &model::LayerFamily::name) - families.begin();
    return static_cast<Token>(std::min(kFirst + static_cast<int>(at), kOther));
}

Token familyOf(std::string const &className)
{
    if (className == "InputLayer") return Token::FamilyInput;
    auto const *spec = model::findLayerSpec(className);
    return spec ? familyToken(spec->category) : Token::FamilyOther;
}

QChar familyLetter(Token family)
{
    auto const families = model::layerFamilies();
    auto const at = static_cast<std::size_t>(static_cast<int>(family) - kFirst);
    return at < families.size() && family != Token::FamilyOther ? QLatin1Char(families[at].letter) : QLatin1Char('?');
}

QString familyTitle(std::string_view category) { return registryText(category); }

QIcon familyIcon(Token family, double ratio)
{
    QPixmap picture(QSize(kIconSize, kIconSize) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor const color = theme()[family];
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0, 0, kIconSize, kIconSize), 3, 3);
    painter.setPen(textOn(color));
    painter.setFont(uiFont(TextSize::Caption));
    painter.drawText(QRectF(0, 0, kIconSize, kIconSize), Qt::AlignCenter, QString(familyLetter(family)));
    return QIcon(picture);
}

} // namespace tilewright::views
