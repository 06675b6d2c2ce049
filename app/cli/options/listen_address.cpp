#include "app/cli/options/listen_address.h"

#include "app/option_set.h"
#include "app/quoted_words.h"

#include <QString>

#include <string_view>

namespace lockscope::cli {

namespace {

constexpr std::uint64_t kPortMax = 65'535;

/// Without the brackets of an IPv6 address, which needs them; null: it is no address.
QHostAddress hostOf(std::string_view text)
{
    const bool isBracketed = text.size() > 2 && text.starts_with('[') && text.ends_with(']');
    if (isBracketed) {
        text = text.substr(1, text.size() - 2);
    }
    if (text == "localhost") {
        return QHostAddress(QHostAddress::LocalHost);
    }
    const QHostAddress host(QString::fromStdString(std::string(text)));
    const bool isVersion6 = host.protocol() == QAbstractSocket::IPv6Protocol;
    return isVersion6 == isBracketed ? host : QHostAddress();
}

} // namespace

std::string ListenAddress::text() const
{
    const std::string address = host.toString().toStdString();
    const bool isVersion6 = host.protocol() == QAbstractSocket::IPv6Protocol;
    return (isVersion6 ? '[' + address + ']' : address) + ':' + std::to_string(port);
}

std::string readListenAddress(const std::string& text, ListenAddress& address)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) {
        return app::inQuotes(text) + " has no port; write it as 127.0.0.1:9469";
    }
    const QHostAddress host = hostOf(std::string_view(text).substr(0, colon));
    if (host.isNull()) {
        return app::inQuotes(text.substr(0, colon))
               + " is no IP address; write it as 127.0.0.1:9469 or [::1]:9469";
    }
    std::uint64_t port = 0;
    if (const std::string wrong = app::readNumber(text.substr(colon + 1), 0, kPortMax, port);
        !wrong.empty()) {
        return "the port " + wrong;
    }
    address = {host, static_cast<std::uint16_t>(port)};
    return {};
}

} // namespace lockscope::cli
