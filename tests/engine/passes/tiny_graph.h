#pragma once

#include "engine/graph/graph.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <cstdlib>
#include <iostream>
#include <string>

/// Graphs in a few lines: graph::parse's form without what does not matter to a test.
///   var f32 [2, 3]
///   %0:f32[2, 3] = infeed()
///   %1:f32[2, 3] = relu(%0) pass backward stage 1 inplace [0]
///   repeat() { … }
namespace tilewright::tests {

/// A line of a node in full form. Missing: name, layer, roles (activation), pass (forward), stage (0).
inline QString fullLine(QString line)
{
    static QRegularExpression const value(R"(%(\d+):(\w+)(\[[^\]]*\]))");
    static QRegularExpression const pass(R"( pass (\w+))"), stage(R"( stage (\d+))"), inPlace(R"( inplace (\[[^\]]*\]))"),
        variable(R"( var (%v\d+))"), layer(R"x( layer "(\w*)")x");
    line.replace(value, R"(%\1 "v\1":\2\3:activation)");
    auto const take = [&](QRegularExpression const &pattern, QString const &fallback) {
        auto const match = pattern.match(line);
        if (!match.hasMatch()) return fallback;
        line.remove(pattern);
        return match.captured(1);
    };
    auto const p = take(pass, "forward"), s = take(stage, "0"), i = take(inPlace, ""), v = take(variable, ""), l = take(layer, "");
    line += " name \"n\" layer \"" + l + "\" pass " + p + " stage " + s;
    if (!i.isEmpty()) line += " inplace " + i;
    if (!v.isEmpty()) line += " var " + v;
    return line;
}

/// The graph of the text; stops the test program with the parser's message when it is wrong.
inline graph::Graph tiny(QString const &text, int stages = 1)
{
    QString full = "graph \"t\" stages " + QString::number(stages) + "\n", body;
    int variables = 0, regions = 1;
    for (auto const &raw : text.split('\n')) {
        auto line = raw.trimmed();
        if (line.isEmpty()) continue;
        if (line.startsWith("var ")) {
            // "var f32 [2] accumulator stage 1": role (default weight) and stage (default 0) are optional.
            static QRegularExpression const form(R"(^var (\w+) (\[[^\]]*\])( [a-z_]+)?( stage \d+)?$)");
            auto const match = form.match(line);
            QString const role = match.captured(3).isEmpty() ? " weight" : match.captured(3);
            QString const stage = match.captured(4).isEmpty() ? " stage 0" : match.captured(4);
            auto const number = QString::number(variables++);
            full += "var %v" + number + " \"w" + number + "\" " + match.captured(1) + " " + match.captured(2) + role
                + " layer \"\" init \"\"" + stage + "\n";
        } else if (line.endsWith("{") && !line.contains('=')) {
            line.chop(1);
            body += fullLine(line.trimmed()) + "\nregion r" + QString::number(regions++) + " \"\" {\n";
        } else if (line == "}") {
            body += "}\n";
        } else if (line.endsWith("{") && (line.contains("repeat(") || line.startsWith("pipeline() {"))) {
            body += fullLine(line.left(line.lastIndexOf('{')).trimmed()) + "\nregion r" + QString::number(regions++) + " \"\" {\n";
        } else {
            body += fullLine(line) + "\n";
        }
    }
    full += "region r0 \"\" {\n" + body + "}\n";
    auto parsed = graph::parse(full.toStdString());
    if (!parsed.ok()) {
        std::cerr << full.toStdString() << tilewright::toText(parsed.error()) << "\n";
        std::exit(1);
    }
    return std::move(parsed).value();
}

/// The short form of a graph's nodes, renumbered, one per line, blocks in braces.
inline QString shortText(graph::Graph const &graph)
{
    QString text = QString::fromStdString(graph::print(graph::compact(graph)));
    QStringList out;
    int depth = 0;
    for (auto const &raw : text.split('\n')) {
        auto line = raw.trimmed();
        if (line.isEmpty() || line.startsWith("graph ") || line.startsWith("var ")) continue;
        if (line.startsWith("region ")) {
            if (depth++) out.last() += " {";
            continue;
        }
        if (line == "}") {
            if (--depth) out << "}";
            continue;
        }
        static QRegularExpression const value(R"x(%(\d+) "[^"]*":(\w+)(\[[^\]]*\]):\w+)x"), names(R"( name "[^"]*" layer "[^"]*")");
        line.replace(value, R"(%\1:\2\3)");
        line.remove(names);
        line.remove(" pass forward");
        static QRegularExpression const stageZero(R"( stage 0\b)");
        line.remove(stageZero);
        out << line;
    }
    return out.join("\n");
}

/// The expected text in any layout. Unchanged variables of a graph can be omitted.
inline QString lines(QString const &text)
{
    QStringList out;
    for (auto const &raw : text.split('\n'))
        if (!raw.trimmed().isEmpty() && !raw.trimmed().startsWith("var ")) out << raw.trimmed();
    return out.join("\n");
}

} // namespace tilewright::tests
