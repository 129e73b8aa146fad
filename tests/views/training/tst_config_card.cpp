#include "tests/support/test_registry.h"

#include "engine/project/project.h"
#include "views/training/config_card.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// The configuration of a run in words.
class TstConfigCard : public QObject {
    Q_OBJECT

    static QString valueOf(ConfigRows const &rows, QString const &name)
    {
        for (auto const &row : rows)
            if (row.first == name) return row.second;
        return {};
    }

private slots:
    void aLoopOfBlocksIsReadable()
    {
        auto p = *project::fromTemplate("custom-loop");
        p = project::withField(
                p, "training.loop",
                R"(["gradients", {"clip": {"global_norm": 1.5}}, {"apply": {"weights": ["dense_2/kernel", "dense_2/bias"], "optimizer": "adam"}}, "apply", {"while": {"loss_above": 0.25}}])",
                nullptr)
                .value();
        QCOMPARE(valueOf(configRows(p), QStringLiteral("Loop")),
                 QStringLiteral("gradients, clip (global norm 1.5), apply (optimizer Adam, learning rate 0.001, weights dense_2/kernel, "
                                "dense_2/bias), apply, while (loss above 0.25)"));
    }
    void withoutALoopTheRowIsMissing()
    {
        QCOMPARE(valueOf(configRows(*project::fromTemplate("mnist-mlp")), QStringLiteral("Loop")), QString());
    }
    void anOptimizerIsItsNameAndRate()
    {
        QCOMPARE(valueOf(configRows(*project::fromTemplate("mnist-mlp")), QStringLiteral("Optimizer")),
                 QStringLiteral("RMSprop, learning rate 0.001"));
    }
};

TW_REGISTER_TEST(TstConfigCard);
#include "tst_config_card.moc"
