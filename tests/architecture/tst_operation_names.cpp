#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

/// Who handles nodes of any operation asks for its kind (graph/node_kind.h) or its traits (graph/op_table.h), not for its name:
/// else a new operation is forgotten in a place that nobody knows of.
class TstOperationNames : public QObject {
    Q_OBJECT

    static bool compares(QString const &text)
    {
        static QRegularExpression const names(QStringLiteral(
            R"(\bop(\(\))?\s*[!=]=\s*\x22|\x22\s*[!=]=\s*[\w.>\-]*\bop\b|(\.|->)op\.(starts_with|ends_with|contains)\(|\bkind\.(starts_with|ends_with)\(\x22opt)"));
        return names.match(text).hasMatch();
    }

private slots:
    void areComparedWithinTheirFamiliesOnly()
    {
        QStringList const allowed{
            QStringLiteral("engine/graph/conv.cpp"), // what shapes, planners and kernels of a family share
            QStringLiteral("engine/graph/expr.cpp"),
            QStringLiteral("engine/graph/partial_sums.cpp"),
            QStringLiteral("engine/layers/families/activation.cpp"), // what a builder has appended itself
            QStringLiteral("engine/layers/loss_builder.cpp"),
        };
        QString const root = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/");
        QStringList found;
        int families = 0;
        for (auto const *folder :
             {"graph", "layers", "training", "passes", "lowering", "compiler", "executable", "runtime", "report", "ops"}) {
            QDirIterator it(root + QLatin1String("engine/") + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                            QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QString const path = it.next();
                QFile file(path);
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
                if (!compares(QString::fromUtf8(file.readAll()))) continue;
                if (QLatin1String(folder) == QLatin1String("ops")) ++families;
                else found << path.mid(root.size());
            }
        }
        found.sort();
        QCOMPARE(found, allowed);
        QVERIFY(families > 5); // else the pattern fits no more
    }
    void aComparisonIsSeen()
    {
        QVERIFY(compares(QStringLiteral(R"(if (node.op == "matmul") return;)")));
        QVERIFY(compares(QStringLiteral(R"(if (maker->op != "matmul") return;)")));
        QVERIFY(compares(QStringLiteral(R"(return "matmul" == node.op;)")));
        QVERIFY(compares(QStringLiteral(R"(node.op.starts_with("opt."))")));
        QVERIFY(!compares(QStringLiteral(R"(b.add("matmul", {}, {}); node.op = "map"; if (is(node, NodeKind::Call)) op.kind == "call";)")));
    }
};

TW_REGISTER_TEST(TstOperationNames);
#include "tst_operation_names.moc"
