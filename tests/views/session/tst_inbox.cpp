#include "tests/support/test_registry.h"
#include "views/jobs/inbox.h"

#include <QEventLoop>
#include <QTimer>
#include <QtTest>

#include <thread>
#include <vector>

using namespace tilewright::views;

class TstInbox : public QObject {
    Q_OBJECT
private slots:
    void callsOfAThreadRunInTheirOrderOnTheWindowsThread()
    {
        auto &inbox = Inbox::ofWindow();
        QObject owner;
        std::vector<int> seen[3];
        bool here = true;
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 500; ++i)
                    inbox.post(&owner, [&, t, i] {
                        seen[t].push_back(i);
                        here = here && QThread::currentThread() == qApp->thread();
                    });
            });
        for (auto &thread : threads) thread.join();
        QTRY_VERIFY(seen[0].size() + seen[1].size() + seen[2].size() == 1500);
        QVERIFY(here);
        for (auto const &row : seen)
            for (std::size_t i = 0; i < row.size(); ++i) QCOMPARE(row[i], static_cast<int>(i));
    }
    void callsForDeletedReceiversAreDropped()
    {
        auto &inbox = Inbox::ofWindow();
        QObject stays;
        auto goes = std::make_unique<QObject>();
        int stayed = 0, gone = 0;
        for (int i = 0; i < 10; ++i) inbox.post(i % 2 ? goes.get() : &stays, [&, i] { ++(i % 2 ? gone : stayed); });
        inbox.forget(goes.get());
        goes.reset();
        QTRY_COMPARE(stayed, 5);
        QCOMPARE(gone, 0);
    }
    void aCallMayWaitForTheNext()
    {
        auto &inbox = Inbox::ofWindow();
        QStringList order;
        inbox.post(this, [&] {
            order << QStringLiteral("first");
            QEventLoop loop; // as a question to a person does
            QTimer::singleShot(5000, &loop, &QEventLoop::quit);
            inbox.post(this, [&] {
                order << QStringLiteral("third");
                loop.quit();
            });
            loop.exec();
            order << QStringLiteral("first ends");
        });
        inbox.post(this, [&] { order << QStringLiteral("second"); });
        QTRY_COMPARE(order.size(), 4);
        QCOMPARE(order,
                 (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third"), QStringLiteral("first ends")}));
    }
};

TW_REGISTER_TEST(TstInbox);
#include "tst_inbox.moc"
