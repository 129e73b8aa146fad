#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

/// Code for nodes of any operation uses the kind (graph/node_kind.h) or the traits (graph/op_table.h) of an operation, not its name.
/// Otherwise a
/// new operation would be forgotten somewhere.
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
            QStringLiteral("engine/graph/conv.cpp"), // shared by shapes, planners and kernels of a family
            QStringLiteral("engine/graph/expr.cpp"),
            QStringLiteral("engine/graph/partial_sums.cpp"),
            QStringLiteral("engine/layers/families/activation.cpp"), // operations that a builder itself appended
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
        QVERIFY(families > 5); // otherwise the pattern no longer matches
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
