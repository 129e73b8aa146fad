#include "app/gui/completion_sheet.h"
#include "app/gui/main_window.h"
#include "engine/model/placeholder.h"
#include "engine/runtime/run.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <fstream>
#include <vector>

using namespace tilewright;
using namespace tilewright::app;

namespace {

using Json = nlohmann::json;

/// A TensorFlow.js model with an input of open size, a custom layer and a Dense layer of weights 1 to 10.
QString writeModel(QTemporaryDir const &folder)
{
    Json const layers{
        {{"class_name", "InputLayer"}, {"config", {{"name", "words"}, {"batch_input_shape", {nullptr, nullptr}}, {"dtype", "float32"}}}},
        {{"class_name", "Custom>Scale"}, {"config", {{"name", "scale"}, {"factor", 2}}}},
        {{"class_name", "Dense"}, {"config", {{"name", "out"}, {"units", 2}}}}};
    Json const weights{{{"name", "out/kernel"}, {"shape", {4, 2}}, {"dtype", "float32"}},
                       {{"name", "out/bias"}, {"shape", {2}}, {"dtype", "float32"}}};
    Json const document{{"format", "layers-model"},
                        {"modelTopology",
                         {{"keras_version", "2.11.0"},
                          {"backend", "tensorflow"},
                          {"model_config", {{"class_name", "Sequential"}, {"config", {{"name", "open"}, {"layers", layers}}}}}}},
                        {"weightsManifest", {{{"paths", {"shard.bin"}}, {"weights", weights}}}}};
    auto const path = folder.filePath(QStringLiteral("model.json"));
    std::ofstream(path.toStdString()) << document.dump();
    std::vector<float> values;
    for (int i = 1; i <= 10; ++i) values.push_back(static_cast<float>(i));
    std::ofstream(folder.filePath(QStringLiteral("shard.bin")).toStdString(), std::ios::binary)
        .write(reinterpret_cast<char const *>(values.data()), 40);
    return path;
}

QLineEdit *fieldOf(CompletionSheet const &sheet, char const *name)
{
    for (auto *line : sheet.findChildren<QLineEdit *>())
        if (line->accessibleName() == QLatin1String(name)) return line;
    return nullptr;
}

void press(CompletionSheet const &sheet, QDialogButtonBox::StandardButton which)
{
    QTest::mouseClick(sheet.findChild<QDialogButtonBox *>()->button(which), Qt::LeftButton);
}

} // namespace

/// A model file that leaves something open: the sheet asks, the answers complete it.
class TstCompletionSheet : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_path;

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
        m_path = writeModel(m_folder);
    }
    void answersGiveTheModelWithItsWeights()
    {
        MainWindow window(true);
        window.show();
        window.openFiles({m_path});
        QPointer<CompletionSheet> const sheet = window.findChild<CompletionSheet *>();
        QVERIFY(sheet);
        QVERIFY(sheet->isVisible());
        auto *size = fieldOf(*sheet, "words, Size of its open axis:"), *other = fieldOf(*sheet, "scale, Replace it by:");
        QVERIFY(size && other && fieldOf(*sheet, "scale, Output shape of one sample:"));
        // A wrong answer is named, and nothing changes.
        auto &session = window.session();
        size->setText(QStringLiteral("four"));
        press(*sheet, QDialogButtonBox::Ok);
        QVERIFY(model::isPlaceholder(*session.document().project().model.find("scale")));
        QTRY_VERIFY([&] {
            for (auto const *label : sheet->findChildren<QLabel *>())
                if (label->isVisible() && label->text().contains(QStringLiteral("words=four"))) return true;
            return false;
        }());
        size->setText(QStringLiteral("4"));
        other->setText(QStringLiteral("Lambda{\"expression\": \"x * 2\"}"));
        press(*sheet, QDialogButtonBox::Ok);
        QTRY_VERIFY(!sheet);
        auto const &document = session.document();
        QCOMPARE(document.field(QStringLiteral("model.layers.scale.expression")), QStringLiteral("x * 2"));
        QVERIFY(std::ranges::none_of(document.problems(), [](auto const &problem) { return problem.severity == Severity::Error; }));
        QVERIFY(document.isModified());
        QVERIFY(session.runs().hasUnsavedImport());
        auto const state = session.runs().trained();
        QVERIFY(state);
        QCOMPARE(state->tensors.size(), std::size_t{2});
        float last = 0;
        std::memcpy(&last, state->tensors[1].bytes.data() + 4, 4);
        QCOMPARE(last, 10.0f);
        QVERIFY(session.runs().canContinue());
    }
    /// The model stays as it was opened, with the placeholder and its open size.
    void cancelKeepsTheModel()
    {
        MainWindow window(true);
        window.show();
        window.openFiles({m_path});
        QPointer<CompletionSheet> const sheet = window.findChild<CompletionSheet *>();
        QVERIFY(sheet);
        auto const opening = window.session().document().opening();
        fieldOf(*sheet, "words, Size of its open axis:")->setText(QStringLiteral("4"));
        press(*sheet, QDialogButtonBox::Cancel);
        QTRY_VERIFY(!sheet);
        auto const &model = window.session().document().project().model;
        QCOMPARE(window.session().document().opening(), opening);
        QVERIFY(model::isPlaceholder(*model.find("scale")));
        QCOMPARE(QString::fromStdString(model.find("words")->config["batch_input_shape"].dump()), QStringLiteral("[null,null]"));
    }
    void aCompleteModelAsksNothing()
    {
        auto const path = m_folder.filePath(QStringLiteral("whole.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"class_name": "Sequential", "config": {"name": "small", "layers": [
            {"class_name": "Dense", "config": {"units": 3, "name": "out", "batch_input_shape": [null, 5]}}]}})");
        file.close();
        MainWindow window(true);
        window.show();
        window.openFiles({path});
        QVERIFY(window.session().document().isOpen());
        QVERIFY(!window.findChild<CompletionSheet *>());
    }
};

TW_REGISTER_TEST(TstCompletionSheet);
#include "tst_completion_sheet.moc"
