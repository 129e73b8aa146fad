#pragma once

#include "views/common/theme.h"

#include <QWidget>

#include <string_view>

namespace tilewright::views {

Token severityToken(std::string_view severity);

/// A small mark with the colour and the shape of a severity: square, triangle, diamond, dot.
class SeverityMark : public QWidget {
    Q_OBJECT
public:
    explicit SeverityMark(std::string_view severity, QWidget *parent = nullptr);
    QSize sizeHint() const override { return {kIconSize, kIconSize}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::string m_severity;
};

} // namespace tilewright::views
