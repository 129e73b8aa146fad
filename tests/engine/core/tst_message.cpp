#include "engine/core/json_text.h"
#include "engine/core/message.h"
#include "engine/core/message_json.h"
#include "engine/core/result.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace tilewright;

/// A text with its arguments apart, which reads like the English string.
class TstMessage : public QObject {
    Q_OBJECT
private slots:
    void argumentsStandInTheirPlaces()
    {
        auto const message = Message::of("%2 of %1 tiles (%3)", 1472, std::string("dense"), 0.5);
        QCOMPARE(message.text(), std::string("dense of 1,472 tiles (0.5)"));
        QCOMPARE(message.pattern(), std::string("%2 of %1 tiles (%3)"));
        QCOMPARE(message.arguments().size(), std::size_t(3));
        QVERIFY(message.arguments()[0].kind() == Argument::Kind::Whole);
        QCOMPARE(message.arguments()[0].whole(), std::int64_t(1472));
        QVERIFY(message.arguments()[1].kind() == Argument::Kind::Text);
        QVERIFY(message.arguments()[2].kind() == Argument::Kind::Figure);
    }
    void argumentsAreNoPatterns()
    {
        QCOMPARE(Message::of("no layer is named '%1'", "50 %2").text(), std::string("no layer is named '50 %2'"));
        QCOMPARE(Message("100 %1").text(), std::string("100 %1"));
    }
    void messagesNest()
    {
        auto const inner = Message::of("an integer of at least %1", 1);
        auto const outer = Message::of("give %1", inner);
        QCOMPARE(outer.text(), std::string("give an integer of at least 1"));
        QVERIFY(outer.arguments()[0].kind() == Argument::Kind::Message);
        QCOMPARE(outer.arguments()[0].message().pattern(), inner.pattern());
    }
    void finishedTextHasNoPattern()
    {
        Message const message = std::string("is odd");
        QVERIFY(message.pattern().empty() && message.arguments().empty());
        QCOMPARE(message.text(), std::string("is odd"));
        QVERIFY(Message().empty());
    }
    void partsKeepTheirPatterns()
    {
        auto message = "after pass x: " + Message::of("%1 nodes are lost", 3);
        message += ' ';
        message += Message::of("The graph is kept.");
        QCOMPARE(message.text(), std::string("after pass x: 3 nodes are lost The graph is kept."));
        QVERIFY(message.pattern().empty());
        QCOMPARE(message.arguments().size(), std::size_t(4));
        QCOMPARE(message.arguments()[1].message().pattern(), std::string("%1 nodes are lost"));
        QCOMPARE(Message::joined({Message::of("a %1", 1), "b"}, "; ").text(), std::string("a 1; b"));
    }
    void storedPatternsWithTooFewArgumentsLeaveNoPlaces()
    {
        QCOMPARE(Message::stored("%1 of %2", {Argument("x")}).text(), std::string("x of "));
    }
    void storedMessagesKeepPatternAndArguments()
    {
        auto const inner = Message::of("at least %1", 1);
        auto joined = Message::of("%1 of %2 tiles (%3): %4", std::string("dense"), 1472, 0.5, inner);
        for (Message const &message : {joined, joined + Message(" End."), Message("as it is"), Message(), inner}) {
            auto const back = messageFromJson(messageToJson(message));
            QVERIFY(back);
            QCOMPARE(back->text(), message.text());
            QCOMPARE(back->pattern(), message.pattern());
            QCOMPARE(messageToJson(*back), messageToJson(message));
        }
        auto const read = [](char const *text) { return messageFromJson(orderedJsonOrDiscarded(text)); };
        QVERIFY(read(R"({"pattern": "%1", "arguments": [{"whole": 3}]})"));
        for (auto const *wrong : {"3", "{}", R"({"pattern": 3, "arguments": []})", R"({"pattern": "", "arguments": [{}]})",
                                  R"({"pattern": "", "arguments": [{"text": 3}]})", R"({"pattern": "%1", "arguments": {}})",
                                  R"({"pattern": "a", "arguments": [{"text": "a", "whole": 1}]})"})
            QVERIFY2(!read(wrong), wrong);
        std::string deep = R"("x")";
        for (int i = 0; i < 20; ++i) deep = R"({"pattern": "%1", "arguments": [{"message": )" + deep + "}]}";
        QVERIFY(!read(deep.c_str()));
    }
    void diagnosticsReadAsBefore()
    {
        auto const error = makeError(ErrorKind::Data, "data.batch", "training.batch_size",
                                     Message::of("%1 samples do not divide into batches of %2", 1000, 96), Message::of("Use 100."));
        QCOMPARE(toText(error), std::string("training.batch_size: 1,000 samples do not divide into batches of 96. Use 100."));
        QCOMPARE(toText(makeError(ErrorKind::Data, "x", "s", "plain " + std::string("text"), {})), std::string("s: plain text"));
    }
};

TW_REGISTER_TEST(TstMessage);
#include "tst_message.moc"
