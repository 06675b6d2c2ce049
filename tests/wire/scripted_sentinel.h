#pragma once

#include "tests/support/scripted_peer.h"

namespace lockscope::testing {

inline QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

inline QByteArray listOf(const QList<QByteArray>& texts)
{
    QByteArray list = '*' + QByteArray::number(texts.size()) + "\r\n";
    for (const QByteArray& text : texts) {
        list += bulk(text);
    }
    return list;
}

/// A Sentinel in the hands of the test.
struct ScriptedSentinel {
    ScriptedPeer peer;
    QByteArray master = "10.0.0.5"; // empty: it knows none of the name
    int port = 6379;                // of the master
    int epoch = 1;
    bool isSilent = false;
    int questionCount = 0;

    /// From now on it answers.
    void start()
    {
        peer.answerWith([this](const QByteArray& heard) { return answerTo(heard); });
    }

private:
    QByteArray answerTo(const QByteArray& heard)
    {
        if (heard.contains("SETNAME")) {
            return "+OK\r\n";
        }
        if (isSilent) {
            return {};
        }
        // The heartbeat of the connection may come in one piece with a question.
        if (const qsizetype ping = heard.indexOf("PING"); ping >= 0) {
            QByteArray other = answerToQuestion(heard);
            const qsizetype place = ping < heard.indexOf("SENTINEL") ? 0 : other.size();
            return other.insert(place, "+PONG\r\n");
        }
        return answerToQuestion(heard);
    }

    QByteArray answerToQuestion(const QByteArray& heard)
    {
        if (!heard.contains("SENTINEL")) {
            return {};
        }
        if (heard.contains("masters")) {
            return "*1\r\n" + listOf({"name", "cache"});
        }
        ++questionCount;
        return master.isEmpty() ? QByteArray("*-1\r\n-ERR No such master with that name\r\n")
                                : listOf({master, QByteArray::number(port)})
                                      + listOf({"config-epoch", QByteArray::number(epoch)});
    }
};

} // namespace lockscope::testing
