#include "core/operations/metrics/exposition.h"

#include <array>
#include <charconv>

namespace lockscope::metrics {

namespace {

constexpr std::string_view kOpenMetricsType = "application/openmetrics-text";
constexpr std::string_view kPrometheusType = "text/plain";

std::string_view typeOf(MetricKind kind, Exposition exposition)
{
    switch (kind) {
    case MetricKind::Gauge: return "gauge";
    case MetricKind::Counter: return "counter";
    case MetricKind::Info: break;
    }
    return exposition == Exposition::OpenMetrics ? "info" : "gauge"; // the older form has none
}

std::string_view suffixOf(MetricKind kind)
{
    switch (kind) {
    case MetricKind::Gauge: return "";
    case MetricKind::Counter: return "_total";
    case MetricKind::Info: break;
    }
    return "_info";
}

/// Of label values. The same in both forms.
void appendQuoted(std::string& text, std::string_view value)
{
    text += '"';
    for (const char c : value) {
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        if (c == '\\' || c == '"') {
            text += '\\';
        }
        text += c;
    }
    text += '"';
}

void appendNumber(std::string& text, double value)
{
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    text.append(buffer.data(), error == std::errc() ? end : buffer.data());
}

void appendSample(std::string& text, const std::string& name, const Sample& sample)
{
    text += name;
    char separator = '{';
    for (const auto& [label, value] : sample.labels) {
        text += separator;
        text += label;
        text += '=';
        appendQuoted(text, value);
        separator = ',';
    }
    text += sample.labels.empty() ? " " : "} ";
    appendNumber(text, sample.value);
    text += '\n';
}

void appendDescription(std::string& text, std::string_view keyword, std::string_view name,
                       std::string_view value)
{
    text += "# ";
    text += keyword;
    text += ' ';
    text += name;
    text += ' ';
    text += value; // ours: nothing in it has to be escaped
    text += '\n';
}

} // namespace

std::string textOf(std::span<const MetricFamily> families, Exposition exposition)
{
    const bool isOpenMetrics = exposition == Exposition::OpenMetrics;
    std::string text;
    for (const MetricFamily& family : families) {
        if (family.samples.empty()) {
            continue;
        }
        const std::string sampleName = std::string(family.name)
                                       + std::string(suffixOf(family.kind));
        // The older form describes what is written, the newer one the family.
        const std::string_view name = isOpenMetrics ? family.name : sampleName;
        appendDescription(text, "TYPE", name, typeOf(family.kind, exposition));
        if (isOpenMetrics && !family.unit.empty()) {
            appendDescription(text, "UNIT", name, family.unit);
        }
        appendDescription(text, "HELP", name, family.help);
        for (const Sample& sample : family.samples) {
            appendSample(text, sampleName, sample);
        }
    }
    return isOpenMetrics ? text + "# EOF\n" : text;
}

std::string_view contentTypeOf(Exposition exposition)
{
    return exposition == Exposition::OpenMetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

Exposition expositionFor(std::string_view accept)
{
    const bool isOlderOnly = accept.find(kPrometheusType) != std::string_view::npos
                             && accept.find(kOpenMetricsType) == std::string_view::npos;
    return isOlderOnly ? Exposition::PrometheusText : Exposition::OpenMetrics;
}

} // namespace lockscope::metrics
