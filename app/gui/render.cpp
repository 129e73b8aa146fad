#include "app/gui/render.h"

#include "app/gui/figure.h"
#include "app/view_list.h"
#include "engine/core/destination.h"
#include "engine/core/internal_error.h"
#include "engine/core/limits.h"
#include "engine/core/safe_text.h"
#include "views/common/export.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/figures/comparison.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

#include <QApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tilewright::app {

namespace {

struct Request {
    QString file, against, view, mode, out, theme = QStringLiteral("light");
    QSize size; ///< not valid: as wide as is usual, as high as what it shows
    double scale = 1;
    bool json = false;
};

constexpr QSize kUsualSize{1280, 800};
constexpr char kCompare[] = "compare";
constexpr char kOutForms[] = "Use --out NAME.png, .svg, .pdf or .csv.";

struct Failure {
    int code = 0;
    Diagnostic problem;
};

int report(Failure const &failure, bool json)
{
    auto const &d = failure.problem;
    if (json) {
        QJsonArray arguments;
        for (auto const &argument : d.message.arguments())
            arguments.append(argument.kind() == Argument::Kind::Whole ? QJsonValue(static_cast<qint64>(argument.whole()))
                                                                      : QJsonValue(QString::fromStdString(argument.text())));
        QJsonObject const error{{QStringLiteral("code"), QString::fromStdString(d.code)},
                                {QStringLiteral("subject"), QString::fromStdString(d.subject)},
                                {QStringLiteral("message"), QString::fromStdString(d.message)},
                                {QStringLiteral("remedy"), QString::fromStdString(d.remedy)},
                                {QStringLiteral("arguments"), arguments}};
        std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("error"), error}}).toJson(QJsonDocument::Compact).constData());
    } else {
        std::fprintf(stderr, "tilewright: error: %s\n", safeText(toText(d)).c_str());
    }
    return failure.code;
}

/// "runs", "training-plan": as its tab is called, in English.
QString windowName(views::ViewDescriptor const &view)
{
    return QString::fromLatin1(view.title).toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
}

QString viewNames()
{
    QStringList names;
    for (auto const &view : viewList())
        if (view.renders) names << windowName(view);
    names << QLatin1String(kCompare);
    return names.join(QStringLiteral(", "));
}

/// Those that --against is for.
QString comparingNames()
{
    views::Session session;
    QStringList names{QLatin1String(kCompare)};
    for (auto const &view : viewList())
        if (view.renders && views::doesCompareReports(*std::unique_ptr<views::View>(view.create(session, nullptr))))
            names << windowName(view);
    return names.join(QStringLiteral(", "));
}

/// By the name in the window or by the one that layouts keep; Runs shows two reports beside each other as well.
QLatin1String viewId(QString const &name)
{
    for (auto const &view : viewList())
        if (name == QLatin1String(view.id) || name == windowName(view)) return QLatin1String(view.id);
    return name == QLatin1String(kCompare) ? QLatin1String("runs") : QLatin1String();
}

Result<Request> parse(QStringList const &arguments)
{
    Request request;
    auto const usage = [](QString const &subject, Message message, Message remedy) {
        return makeError(ErrorKind::Usage, "render.usage", subject.toStdString(), std::move(message), std::move(remedy));
    };
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString const &word = arguments[i];
        if (word == QLatin1String("--json")) {
            request.json = true;
            continue;
        }
        if (word == QLatin1String("--quiet") || word == QLatin1String("--verbose")) continue;
        if (!word.startsWith(QLatin1String("--"))) {
            if (!request.file.isEmpty())
                return usage(word, Message::of("only one file can be drawn."), Message::of("Give one report or project."));
            request.file = word;
            continue;
        }
        QString name = word, value;
        if (qsizetype const at = word.indexOf(QLatin1Char('=')); at > 0) {
            name = word.left(at);
            value = word.mid(at + 1);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            return usage(word, Message::of("a value is missing."), Message::of("See `tilewright render --help`."));
        }
        if (name == QLatin1String("--view") || name == QLatin1String("--render-view")) request.view = value;
        else if (name == QLatin1String("--mode")) request.mode = value;
        else if (name == QLatin1String("--report") || name == QLatin1String("--project")) request.file = value;
        else if (name == QLatin1String("--against")) request.against = value;
        else if (name == QLatin1String("--out")) request.out = value;
        else if (name == QLatin1String("--theme")) request.theme = value;
        else if (name == QLatin1String("--color") || name == QLatin1String("--threads") || name == QLatin1String("--log")) continue;
        else if (name == QLatin1String("--limit")) {
            TW_TRY(setLimit(value.toStdString()));
        } else if (name == QLatin1String("--scale")) {
            bool ok = false;
            request.scale = QLocale::c().toDouble(value, &ok);
            if (!ok || request.scale < 0.25 || request.scale > 8)
                return usage(value, Message::of("the scale is not a number from 0.25 to 8."), Message::of("--scale 2"));
        } else if (name == QLatin1String("--size")) {
            auto const parts = value.split(QLatin1Char('x'));
            request.size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
            if (request.size.width() < 64 || request.size.height() < 64 || request.size.width() > 16384 || request.size.height() > 16384)
                return usage(value, Message::of("the size is not two numbers of pixels from 64 to 16384."), Message::of("--size 1280x800"));
        } else {
            return usage(name, Message::of("there is no such option."), Message::of("See `tilewright render --help`."));
        }
    }
    if (request.file.isEmpty())
        return usage(QStringLiteral("FILE"), Message::of("a report or a project is missing."),
                     Message::of("See `tilewright render --help`."));
    if (request.view.isEmpty())
        return usage(QStringLiteral("--view"), Message::of("the view is missing."), Message::of("One of %1.", viewNames().toStdString()));
    if (request.view == QLatin1String(kCompare) && request.against.isEmpty())
        return usage(QStringLiteral("--against"), Message::of("the report to compare with is missing."),
                     Message::of("--against OTHER.twreport"));
    if (request.out.isEmpty()) return usage(QStringLiteral("--out"), Message::of("the picture's name is missing."), kOutForms);
    static QStringList const endings{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")};
    if (!endings.contains(QFileInfo(request.out).suffix().toLower()))
        return usage(request.out, Message::of("files with this ending cannot be drawn."), kOutForms);
    return request;
}

/// Missing data and reports are one kind of error, missing projects another.
bool isReportName(QString const &path) { return QFileInfo(path).suffix().compare(QLatin1String("twreport"), Qt::CaseInsensitive) == 0; }

Result<QString> draw(QApplication &application, Request const &request)
{
    views::ThemeKind kind = views::ThemeKind::Light;
    if (request.theme == QLatin1String("dark")) kind = views::ThemeKind::Dark;
    else if (request.theme == QLatin1String("contrast")) kind = views::ThemeKind::HighContrast;
    else if (request.theme != QLatin1String("light"))
        return makeError(ErrorKind::Usage, "render.theme", request.theme.toStdString(), Message::of("there is no such theme."),
                         Message::of("light, dark or contrast."));
    views::applyTheme(application, kind);

    auto const list = viewList();
    auto const it =
        std::find_if(list.begin(), list.end(), [id = viewId(request.view)](auto const &v) { return id == QLatin1String(v.id); });
    if (it == list.end())
        return makeError(ErrorKind::Usage, "render.view", request.view.toStdString(), Message::of("there is no such view."),
                         Message::of("One of %1.", viewNames().toStdString()));

    if (!it->renders)
        return makeError(ErrorKind::Usage, "render.view", request.view.toStdString(),
                         Message::of("this view shows nothing of a report or a project: it cannot be drawn."),
                         Message::of("One of %1.", viewNames().toStdString()));

    views::Session session;
    bool const compares = !request.against.isEmpty();
    if (compares && !views::doesCompareReports(*std::unique_ptr<views::View>(it->create(session, nullptr))))
        return makeError(ErrorKind::Usage, "render.against", request.view.toStdString(), Message::of("this view shows one report only."),
                         Message::of("Leave out --against, or draw one of %1.", comparingNames().toStdString()));
    if (!QFileInfo::exists(request.file))
        return makeError(isReportName(request.file) ? ErrorKind::Data : ErrorKind::Invalid, "file.missing", request.file.toStdString(),
                         Message::of("there is no such file."), Message::of("Check the path."));
    TW_ASSIGN(auto const claim, DestinationClaim::take(request.out.toStdString()));
    auto whole = views::ReportSnapshot::open(request.file, {});
    if (whole.ok()) {
        session.showReport(*whole);
        if (compares) {
            TW_ASSIGN(auto baseline, views::ReportSnapshot::open(request.against, {}));
            session.setBaseline(std::move(baseline), views::Session::Pin::Pinned); // compared even if both say the same
        }
    } else if (whole.error().code == "store.wrong-kind" || whole.error().code == "store.not-a-database") {
        if (compares)
            return makeError(ErrorKind::Usage, "render.against", request.file.toStdString(),
                             Message::of("this is a project: only reports are compared."),
                             Message::of("Give two reports, or leave out --against."));
        if (auto const status = session.document().openFile(request.file); !status.ok()) return status.error();
    } else {
        return whole.error();
    }
    std::unique_ptr<views::View> view(it->create(session, nullptr));
    // A view that has modes keeps the one on show in its state, under this name.
    QString const mode = QStringLiteral("mode");
    auto const refused = [&](Message why, ErrorKind failure) {
        return makeError(failure, "render.mode", request.mode.toStdString(), std::move(why),
                         QLatin1String(it->id) == QLatin1String("execution")
                             ? Message::of("One of flat, flame, bsp, pipeline, exchange, host.")
                             : Message::of("Leave out --mode."));
    };
    if (!request.mode.isEmpty()) {
        if (!view->saveState().contains(mode)) return refused(Message::of("this view has no modes."), ErrorKind::Usage);
        view->restoreState({{mode, request.mode}});
        if (view->saveState().value(mode).toString() != request.mode)
            return refused(Message::of("the view has no such mode."), ErrorKind::Usage);
    }
    QJsonObject asked;
    if (!request.mode.isEmpty()) asked.insert(mode, request.mode);
    if (compares) asked.insert(QStringLiteral("compare"), true);
    view = unseenView(*it, session, asked, request.size.isValid() ? request.size : kUsualSize);
    if (!request.mode.isEmpty() && view->saveState().value(mode).toString() != request.mode)
        return refused(Message::of("this report has nothing to show in that mode."), ErrorKind::Invalid);
    // What a view says instead of drawing is no figure.
    if (auto const &state = view->state(); state.kind == views::ViewState::Empty || state.kind == views::ViewState::Error)
        return makeError(ErrorKind::Invalid, "render.nothing", request.view.toStdString(),
                         Message::of("this view cannot be drawn of %1: %2", QFileInfo(request.file).fileName().toStdString(),
                                     state.text.simplified().toStdString()),
                         whole.ok() ? Message::of("Draw it of a project, or of a report that holds it.")
                                    : Message::of("Draw it of a report: `tilewright compile FILE --report OUT.twreport` makes one."));
    if (request.out.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        if (QString const why = views::saveText(views::toCsv(view->exportTables()), request.out); !why.isEmpty())
            return makeError(ErrorKind::Data, "file.write", request.out.toStdString(), why.toStdString());
        return request.out;
    }
    turnIntoFigure(*view, QCoreApplication::translate("views", it->title), !request.size.isValid());
    if (QString const why = views::saveWidgetPicture(*view, request.out, request.scale); !why.isEmpty())
        return makeError(ErrorKind::Data, "file.write", request.out.toStdString(), why.toStdString());
    return request.out;
}

} // namespace

int renderCommand(QApplication &application, QStringList const &arguments, std::optional<Diagnostic> const &failed)
{
    bool const json = arguments.contains(QStringLiteral("--json"));
    auto const request = parse(arguments);
    if (!request.ok()) return report({static_cast<int>(request.error().kind), request.error()}, json);
    auto const path = guarded("render", "the picture", [&] { return draw(application, *request); });
    if (failed) return report({static_cast<int>(failed->kind), *failed}, json);
    if (!path.ok()) return report({static_cast<int>(path.error().kind), path.error()}, json);
    if (json) std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("path"), *path}}).toJson(QJsonDocument::Compact).constData());
    else std::printf("%s\n", safeText(path->toStdString()).c_str());
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        std::fprintf(stderr, "tilewright: error: standard output could not be written: %s.\n", std::strerror(errno));
        return 5;
    }
    return 0;
}

} // namespace tilewright::app
