#include "app/gui/figure.h"
#include "app/gui/main_window.h"
#include "app/view_list.h"
#include "engine/core/json_text.h"
#include "engine/model/templates.h"
#include "engine/project/project.h"
#include "engine/store/project_file.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/common/export.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <random>

using namespace tilewright;
using namespace tilewright::views;
using Json = nlohmann::ordered_json;

namespace {

/// Changes the structure of a document in one place: values of other types, extremes, what is missing, twice or elsewhere.
class Mutator {
public:
    explicit Mutator(unsigned seed) : m_random(seed) {}
    int upTo(int n) { return n <= 1 ? 0 : static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    std::string mutate(Json &document)
    {
        std::vector<Json *> nodes;
        collect(document, nodes);
        auto &node = *nodes[static_cast<std::size_t>(upTo(static_cast<int>(nodes.size())))];
        std::string const before = node.dump().substr(0, 60);
        change(node, nodes);
        return before + " -> " + node.dump().substr(0, 60);
    }

private:
    static void collect(Json &node, std::vector<Json *> &nodes)
    {
        nodes.push_back(&node);
        if (node.is_structured())
            for (auto &child : node) collect(child, nodes);
    }
    Json strange()
    {
        switch (upTo(16)) {
        case 0: return nullptr;
        case 1: return true;
        case 2: return 0;
        case 3: return -1;
        case 4: return std::int64_t{1} << 31;
        case 5: return std::numeric_limits<std::int64_t>::max();
        case 6: return std::numeric_limits<std::int64_t>::min();
        case 7: return 1e-310;
        case 8: return -0.5;
        case 9: return 1e300;
        case 10: return "";
        case 11: return "relu";
        case 12: return std::string(300, 'n');
        case 13: return Json::array();
        case 14: return Json::object();
        default: return Json::array({nullptr, 3, "x"});
        }
    }
    void change(Json &node, std::vector<Json *> const &nodes)
    {
        int const what = upTo(10);
        if (what < 5 || !node.is_structured() || node.empty()) {
            node = strange();
        } else if (what == 5) { // what stands elsewhere
            Json const other = *nodes[static_cast<std::size_t>(upTo(static_cast<int>(nodes.size())))];
            node = other;
        } else if (node.is_array()) {
            auto const at = static_cast<Json::difference_type>(upTo(static_cast<int>(node.size())));
            Json const copy = *(node.begin() + at);
            if (what == 6) node.erase(node.begin() + at);
            else if (what == 7) node.push_back(copy);
            else if (what == 8) std::reverse(node.begin(), node.end());
            else node.insert(node.begin() + at, strange());
        } else {
            auto it = node.begin();
            std::advance(it, upTo(static_cast<int>(node.size())));
            std::string const key = it.key();
            if (what == 6 || what == 7) node.erase(key);
            else if (what == 8) node["no such field"] = strange();
            else node[key] = strange();
        }
    }
    std::mt19937 m_random;
};

/// A small project of a template, as its twin.
Json twinOf(std::string const &name)
{
    auto project = project::fromTemplate(name);
    if (!project.ok()) qFatal("%s", name.c_str());
    project = project::withField(*project, "system.target", "gc200:tiles=16", nullptr);
    project->data.limit = 64;
    return Json::parse(store::projectToJson({project::projectParts(*project)}).value());
}

} // namespace

/// What the window does with a project that was read: each of its views draws it, or says what is wrong, whatever the file holds.
///
/// TILEWRIGHT_MUTATED_MODELS (40) says how many, TILEWRIGHT_MUTATED_SEED (1) with which seed they begin; the seed of a failure is
/// printed and does the same again.
class TstMutatedModels : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_file;

    static int number(char const *name, int usual)
    {
        bool ok = false;
        int const value = qEnvironmentVariableIntValue(name, &ok);
        return ok ? value : usual;
    }
    void write(Json const &document) const
    {
        QFile file(m_file);
        std::string const text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0) qFatal("not written");
    }
    /// As `render` draws it.
    void drawAll() const
    {
        for (auto const &descriptor : app::viewList()) {
            if (!descriptor.renders) continue;
            Session session;
            if (!session.document().openFile(m_file).ok()) return;
            auto const view = app::unseenView(descriptor, session, {}, QSize(640, 480));
            app::turnIntoFigure(*view, QLatin1String(descriptor.id), false);
            (void)view->grab();
            (void)toCsv(view->exportTables());
        }
    }
    static void lookAtAll(app::MainWindow &window)
    {
        auto &session = window.session();
        QStringList layers;
        for (auto const &layer : session.document().project().model.layers) layers << QString::fromStdString(layer.name);
        for (auto const &descriptor : app::viewList()) {
            (void)window.showView(QLatin1String(descriptor.id));
            QCoreApplication::processEvents();
        }
        for (auto const &layer : layers.mid(0, 12)) {
            session.selection().selectLayer(layer);
            QCoreApplication::processEvents();
        }
        (void)window.grab();
    }

private slots:
    void initTestCase()
    {
        initResources();
        applyTheme(*qApp, ThemeKind::Light);
        m_file = m_folder.filePath(QStringLiteral("mutated.json"));
    }
    /// The command line calls it an error of the layer; the window shows it where it is.
    void aFieldOfAnotherTypeEndsNothing_data()
    {
        QTest::addColumn<QString>("value");
        for (auto const *value : {"null", "\"yes\"", "3", "[]", "{}"}) QTest::newRow(value) << QString::fromLatin1(value);
    }
    void aFieldOfAnotherTypeEndsNothing()
    {
        QFETCH(QString, value);
        auto twin = twinOf("mnist-mlp");
        for (auto &layer : twin["model"]["config"]["layers"])
            if (layer["class_name"] == "Dense") layer["config"]["trainable"] = Json::parse(value.toStdString());
        write(twin);
        drawAll();
        app::MainWindow window(true);
        window.show();
        window.openFiles({m_file});
        QVERIFY(window.session().document().isOpen());
        QVERIFY(!window.session().document().problems().empty());
        lookAtAll(window);
    }
    void everyViewTakesWhatCanBeRead()
    {
        int const count = number("TILEWRIGHT_MUTATED_MODELS", 40), first = number("TILEWRIGHT_MUTATED_SEED", 1);
        std::vector<Json> bases;
        for (auto const &entry : model::modelTemplates())
            if (entry.name != model::kEmptyTemplate) bases.push_back(twinOf(entry.name));
        app::MainWindow window(true);
        window.session().setReplaceGate({}); // nobody is there to answer
        window.resize(1200, 800);
        window.show();
        int read = 0;
        for (int i = 0; i < count; ++i) {
            unsigned const seed = static_cast<unsigned>(first + i);
            Mutator mutator(seed);
            Json twin = bases[static_cast<std::size_t>(mutator.upTo(static_cast<int>(bases.size())))];
            std::string changes;
            for (int changed = 1 + mutator.upTo(4); changed > 0; --changed) changes += mutator.mutate(twin) + "\n";
            write(twin);
            // Printed before: what ends the program says nothing afterwards.
            if (qEnvironmentVariableIsSet("TILEWRIGHT_MUTATED_TALKS"))
                std::fprintf(stderr, "TILEWRIGHT_MUTATED_SEED=%u\n%s", seed, changes.c_str());
            auto &document = window.session().document();
            auto const opening = document.opening();
            window.openFiles({m_file});
            if (document.opening() == opening) continue; // refused, in words
            ++read;
            lookAtAll(window);
            if (i % 4 == 0) drawAll();
            QVERIFY2(!QApplication::activeModalWidget(), qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
        qInfo("%d of %d mutated projects were read", read, count);
        QVERIFY(read * 8 > count); // fewer would test the parser alone
    }
};

TW_REGISTER_TEST(TstMutatedModels);
#include "tst_mutated_models.moc"
