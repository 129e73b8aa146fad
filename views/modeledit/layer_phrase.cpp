#include "views/modeledit/layer_phrase.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/registry_text.h"
#include "views/modeledit/edit_support.h"

#include "engine/model/activations.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace tilewright::views {

using edits::q;
using edits::refusal;
using model::Json;
using model::Layer;
using model::LayerSpec;
using model::ParamInfo;
using model::ParamType;

namespace {

/// Letters and digits only, small: "Leaky_ReLU" and "leakyrelu" are one word.
QString folded(QString const &word)
{
    QString text;
    for (QChar const c : word)
        if (c.isLetterOrNumber()) text += c.toLower();
    return text;
}

/// "max_pooling2d" -> "MaxPooling2D", to distinguish an unsupported class from a misspelling.
QString kerasCase(QString const &word)
{
    QString text;
    for (QString part : word.split(u'_', Qt::SkipEmptyParts)) {
        part = part.toLower();
        part[0] = part[0].toUpper();
        if (part.size() > 1 && part.endsWith(u'd') && part[part.size() - 2].isDigit()) part.back() = u'D';
        text += part;
    }
    return text;
}

QStringList tokensOf(QString const &text)
{
    static QRegularExpression const space(QStringLiteral("\\s+"));
    return text.split(space, Qt::SkipEmptyParts);
}

bool takesNumber(ParamInfo const &param) { return param.type == ParamType::Int || param.type == ParamType::Float; }
bool takesNumbers(ParamInfo const &param)
{
    return param.type == ParamType::IntList || param.type == ParamType::FloatList || param.type == ParamType::Shape;
}

/// Turns the words after a class into arguments.
class ArgumentReader {
public:
    explicit ArgumentReader(LayerSpec const &spec) : m_spec(spec), m_params(model::layerParams(spec))
    {
        m_layer.className = spec.className;
    }

    Status take(QString const &token)
    {
        if (qsizetype const equals = token.indexOf(u'='); equals > 0) return named(token.left(equals), token.mid(equals + 1));
        bool number = false;
        token.toDouble(&number);
        return number ? positional(token) : word(token);
    }

    Result<Layer> finish()
    {
        for (auto const &param : m_params) {
            if (auto const it = m_lists.find(param.name); it != m_lists.end()) {
                Json list = it->second;
                if (param.type == ParamType::Shape) list.insert(list.begin(), Json()); // the batch axis is never typed
                if (param.length > 1 && list.size() == 1) list = list.front();         // one number applies to all axes
                TW_TRY(set(param, std::move(list), q(param.name)));
            }
            if (param.required && !m_layer.config.contains(param.name))
                return refusal("missing-argument", param.name,
                               QCoreApplication::translate("views", "%1 needs %2: %3.")
                                   .arg(q(m_spec.className), q(param.name), registryText(param.help)),
                               QCoreApplication::translate("views", "Type a value after the name of the layer."));
        }
        model::normalizeLayer(m_layer);
        std::string const name = m_layer.name;
        if (name.empty()) m_layer.name = m_spec.className; // a name for messages of the check
        TW_TRY(model::checkLayer(m_layer));
        m_layer.name = name;
        return m_layer;
    }

private:
    Status set(ParamInfo const &param, Json value, QString const &token)
    {
        auto normal = model::normalizeParam(param, value, token.toStdString());
        if (!normal.ok()) return normal.error();
        m_layer.config[param.name] = std::move(*normal);
        return {};
    }

    Status named(QString const &name, QString const &value)
    {
        std::string const key = name.toLower().toStdString();
        std::vector<std::string> names{"name"};
        for (auto const &param : m_params) {
            names.push_back(param.name);
            if (param.name == key) return set(param, model::valueFromText(param, value.toStdString()), name);
        }
        if (key != "name")
            return refusal("no-argument", key,
                           QCoreApplication::translate("views", "%1 has no argument “%2”.").arg(q(m_spec.className), name),
                           messageText(model::suggestion(key, names)));
        m_layer.name = value.toStdString();
        return {};
    }

    Status positional(QString const &token)
    {
        for (bool const required : {true, false})
            for (auto const &param : m_params) {
                if (param.required != required || m_layer.config.contains(param.name)) continue;
                if (takesNumber(param)) return set(param, model::valueFromText(param, token.toStdString()), token);
                if (takesNumbers(param)) {
                    auto &list = m_lists.try_emplace(param.name, Json::array()).first->second;
                    if (param.length > 0 && list.size() >= static_cast<std::size_t>(param.length)) continue; // full: the next one's
                    list.push_back(model::valueFromText({.name = param.name, .type = ParamType::Int}, token.toStdString()));
                    return {};
                }
            }
        return refusal(
            "extra-number", token.toStdString(),
            QCoreApplication::translate("views", "%1 has no argument left that takes the number %2.").arg(q(m_spec.className), token), {});
    }

    Status word(QString const &token)
    {
        std::string const text = token.toStdString();
        bool const activation = model::activationNamed(token.toLower().toStdString()).ok();
        std::vector<std::string> known;
        for (auto const &param : m_params) {
            if (m_layer.config.contains(param.name)) continue;
            known.push_back(param.name);
            if (param.type == ParamType::Activation) {
                for (auto const &name : model::activationNames()) known.push_back(name);
                if (activation) return set(param, Json(token.toLower().toStdString()), token);
            }
            bool const allowed = std::find(param.allowed.begin(), param.allowed.end(), text) != param.allowed.end();
            if (allowed || (param.type == ParamType::DType && parseDType(text))) return set(param, Json(text), token);
        }
        return refusal("unknown-word", text, QCoreApplication::translate("views", "%1 does not know “%2”.").arg(q(m_spec.className), token),
                       messageText(model::suggestion(text, known)));
    }

    LayerSpec const &m_spec;
    std::vector<ParamInfo> m_params;
    std::map<std::string, Json> m_lists;
    Layer m_layer;
};

Result<LayerSpec const *> specOrReason(QString const &word)
{
    if (auto const *spec = specFromWord(word)) return spec;
    std::string const keras = kerasCase(word).toStdString();
    for (std::string const &name : {keras, word.toUpper().toStdString(), word.toStdString()})
        if (model::isKerasLayer(name))
            return refusal("unsupported", word.toStdString(), QCoreApplication::translate("views", "%1 is not supported yet.").arg(q(name)),
                           QCoreApplication::translate("views", "The palette lists the layers there are."));
    std::vector<std::string> names;
    QStringList several;
    for (auto const &spec : model::builtinLayers()) {
        names.push_back(model::snakeCase(spec.className));
        if (folded(q(spec.className)).startsWith(folded(word))) several << q(spec.className);
    }
    if (!folded(word).isEmpty() && several.size() > 1)
        return refusal("ambiguous", word.toStdString(),
                       QCoreApplication::translate("views", "“%1” may be %2.").arg(word, several.join(QStringLiteral(", "))),
                       QCoreApplication::translate("views", "Type more of the name."));
    return refusal("unknown-layer", word.toStdString(), QCoreApplication::translate("views", "There is no layer “%1”.").arg(word),
                   messageText(model::suggestion(word.toStdString(), names)));
}

Result<std::vector<Layer>> parseOne(QStringList tokens)
{
    static QRegularExpression const times(QStringLiteral("^[x*](\\d{1,3})$"));
    int count = 1;
    if (auto const match = times.match(tokens.back()); match.hasMatch() && tokens.size() > 1) {
        count = match.captured(1).toInt();
        tokens.removeLast();
    }
    if (count < 1)
        return refusal("count", tokens.back().toStdString(), QCoreApplication::translate("views", "A layer cannot be added 0 times."), {});
    QString const first = tokens.takeFirst();
    auto const spec = specOrReason(first);
    if (!spec.ok()) {
        if (!model::activationNamed(first.toLower().toStdString()).ok()) return spec.error();
        tokens.prepend(first);
    }
    ArgumentReader reader(spec.ok() ? **spec : *model::findLayerSpec("Activation"));
    for (QString const &token : tokens) TW_TRY(reader.take(token));
    TW_ASSIGN(Layer const layer, reader.finish());
    return std::vector<Layer>(static_cast<std::size_t>(count), layer);
}

} // namespace

LayerSpec const *specFromWord(QString const &word)
{
    QString const text = folded(word);
    if (text.isEmpty()) return nullptr;
    LayerSpec const *found = nullptr;
    int starting = 0;
    for (auto const &spec : model::builtinLayers()) {
        QString const name = folded(q(spec.className));
        if (name == text) return &spec;
        if (!name.startsWith(text)) continue;
        found = &spec;
        ++starting;
    }
    if (starting > 1) return nullptr;
    return found;
}

Result<std::vector<Layer>> parseLayerPhrase(QString const &text)
{
    std::vector<Layer> layers;
    for (QString const &part : text.split(u'>')) {
        QStringList const tokens = tokensOf(part);
        if (tokens.isEmpty())
            return refusal("empty", text.toStdString(), QCoreApplication::translate("views", "A layer is missing."),
                           QCoreApplication::translate("views", "Type one like: dense 128 relu"));
        TW_ASSIGN(auto const more, parseOne(tokens));
        layers.insert(layers.end(), more.begin(), more.end());
    }
    return layers;
}

std::vector<PhraseCompletion> completeLayerPhrase(QString const &text, int most)
{
    std::vector<PhraseCompletion> found;
    QString const part = text.section(u'>', -1);
    QStringList tokens = tokensOf(part);
    bool const fresh = part.isEmpty() || part.back().isSpace();
    QString const last = fresh || tokens.isEmpty() ? QString() : tokens.takeLast();
    QString const head = text.left(text.size() - last.size());
    auto const offer = [&](QString const &word, QString const &hint, bool more = true) {
        if (static_cast<int>(found.size()) < most) found.push_back({head + word + (more ? QStringLiteral(" ") : QString()), word, hint});
    };
    if (tokens.isEmpty()) {
        for (bool const starts : {true, false})
            for (auto const &spec : model::builtinLayers()) {
                QString const word = spec.className == "InputLayer" ? QStringLiteral("input") : q(model::snakeCase(spec.className));
                qsizetype const at = folded(word).indexOf(folded(last));
                if (starts ? at == 0 : at > 0) offer(word, registryText(spec.help));
            }
        return found;
    }
    auto const *spec = specFromWord(tokens.front());
    if (!spec) return found;
    for (auto const &param : model::layerParams(*spec)) {
        bool const given =
            std::any_of(tokens.begin(), tokens.end(), [&](QString const &token) { return token.startsWith(q(param.name) + u'='); });
        if (given) continue;
        if (param.type == ParamType::Activation && !last.isEmpty())
            for (auto const &name : model::activationNames())
                if (q(name).startsWith(last, Qt::CaseInsensitive)) offer(q(name), q(param.name));
        if (q(param.name).startsWith(last, Qt::CaseInsensitive) && (!last.isEmpty() || param.required))
            offer(q(param.name) + u'=', registryText(param.help), false);
    }
    return found;
}

QString phraseSignature(QString const &text)
{
    QStringList const tokens = tokensOf(text.section(u'>', -1));
    if (tokens.isEmpty()) return {};
    auto const *spec = specFromWord(tokens.front());
    if (!spec) return {};
    QStringList names;
    for (auto const &param : spec->params)
        if (param.type != ParamType::Regularizer && param.type != ParamType::Constraint)
            names << (param.required ? q(param.name) : QStringLiteral("[%1]").arg(q(param.name)));
    return names.isEmpty() ? QCoreApplication::translate("views", "%1: no arguments").arg(q(spec->className))
                           : QStringLiteral("%1: %2").arg(q(spec->className), names.join(QStringLiteral("  ")));
}

} // namespace tilewright::views
