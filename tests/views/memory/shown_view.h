#pragma once

#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

#include <QLabel>
#include <QtTest>

namespace tilewright::tests {

/// A view of reports in a window, with a shown report and finished background work. `V` has isSettled().
template <typename V> struct ShownView {
    views::Session session;
    V view{session, nullptr};
    explicit ShownView(std::shared_ptr<views::ReportSnapshot const> report, QSize size = {1100, 900})
    {
        view.resize(size);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        if (report) session.showReport(std::move(report));
        settle();
    }
    void settle()
    {
        for (int i = 0; i < 2; ++i) {
            QCoreApplication::processEvents();
            QTRY_VERIFY(view.isSettled());
        }
        QCoreApplication::processEvents();
    }
    bool says(QString const &text)
    {
        for (auto *label : view.template findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text)) return true;
        return false;
    }
};

} // namespace tilewright::tests
