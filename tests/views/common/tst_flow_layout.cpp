#include "tests/support/test_registry.h"
#include "views/common/flow_layout.h"

#include <QWidget>
#include <QtTest>

#include <map>
#include <memory>

using namespace tilewright::views;

class TstFlowLayout : public QObject {
    Q_OBJECT

    /// Widths of the items of each row, from top to bottom.
    static std::vector<std::vector<int>> rows(int items, int width)
    {
        QWidget page;
        auto *flow = new FlowLayout(&page, 8, FlowLayout::Share);
        for (int i = 0; i < items; ++i) {
            auto *item = new QWidget;
            item->setMinimumSize(180 + 10 * (i % 2), 40);
            flow->addWidget(item);
        }
        page.resize(width, 400);
        page.show();
        std::map<int, std::vector<int>> found;
        for (int i = 0; i < items; ++i) found[flow->itemAt(i)->geometry().y()].push_back(flow->itemAt(i)->geometry().width());
        std::vector<std::vector<int>> all;
        for (auto &[y, widths] : found) all.push_back(std::move(widths));
        return all;
    }

private slots:
    void noItemIsAloneInItsRow()
    {
        // Five of six items fit the width of 1,000.
        auto const six = rows(6, 1000);
        QCOMPARE(six.size(), std::size_t(2));
        QCOMPARE(six[0].size(), std::size_t(3));
        QCOMPARE(six[1].size(), std::size_t(3));
        for (int items = 2; items < 12; ++items)
            for (int width = 400; width < 2000; width += 50) {
                auto const all = rows(items, width);
                if (all.size() < 2 || all.front().size() < 3) continue;
                QVERIFY2(all.back().size() > 1, qPrintable(QStringLiteral("%1 items, %2 pixels").arg(items).arg(width)));
            }
    }
    void fullRowsHaveTheWholeWidth()
    {
        for (int const items : {3, 6}) {
            auto const all = rows(items, 1000);
            for (auto const &row : all) {
                int length = static_cast<int>(row.size() - 1) * 8;
                for (int const width : row) length += width;
                QVERIFY2(length > 1000 - 8 && length <= 1000, qPrintable(QString::number(length)));
            }
        }
    }
};

TW_REGISTER_TEST(TstFlowLayout);
#include "tst_flow_layout.moc"
