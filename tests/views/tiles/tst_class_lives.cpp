#include "tests/support/test_registry.h"
#include "views/tiles/class_lives.h"

#include <QtTest>

#include <random>

using namespace tilewright;
using namespace tilewright::views;

class TstClassLives : public QObject {
    Q_OBJECT
private slots:
    void lookUpsAgreeWithTheRows()
    {
        std::mt19937 random(11);
        constexpr int kSteps = 60, kClasses = 20;
        std::vector<report::LivenessClassRow> classes(kClasses);
        classes[0].alwaysLive = true;
        std::vector<report::LivenessIntervalRow> rows{{0, 0, kSteps}};
        for (int c = 1; c < kClasses; ++c) {
            if (c % 5 == 0) continue; // never live
            int at = 0;
            while (at < kSteps - 3) {
                int const first = at + static_cast<int>(random() % 9), end = first + 1 + static_cast<int>(random() % 6);
                if (end > kSteps) break;
                rows.push_back({c, first, end});
                at = end + 1;
            }
        }
        std::shuffle(rows.begin(), rows.end(), random);
        ClassLives const lives(classes, rows, kSteps);
        for (int c = 0; c < kClasses; ++c)
            for (int step = 0; step < kSteps; ++step) {
                bool live = false;
                for (auto const &row : rows) live = live || (row.livenessClass == c && row.firstStep <= step && step < row.endStep);
                QCOMPARE(lives.isLive(c, step), live);
                auto const [first, end] = lives.around(c, step);
                QCOMPARE(first >= 0, live);
                if (live) QVERIFY(first <= step && step < end);
            }
        QVERIFY(!lives.isLive(-1, 0) && !lives.isLive(kClasses, 0) && lives.of(99).empty());
    }

    void tilesWithEqualContentAreOneUse()
    {
        auto const uses = layoutUses(std::vector<int>{1, 0, -1, 1, 3});
        QCOMPARE(uses.size(), std::size_t(3));
        QCOMPARE(uses[0].tile, 1);
        QCOMPARE(uses[1].tiles, (std::vector<int>{0, 3}));
        QCOMPARE(uses[2].tile, 4);
    }
};

TW_REGISTER_TEST(TstClassLives);
#include "tst_class_lives.moc"
