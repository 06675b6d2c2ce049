#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Metrics as values, and the two text forms in which Prometheus and its relatives read them.
namespace lockscope::metrics {

enum class MetricKind : std::uint8_t { Gauge, Counter, Info };

/// Names and values; the names are literals of the program, the values may be any UTF-8.
using Labels = std::vector<std::pair<std::string_view, std::string>>;

struct Sample {
    Labels labels;
    double value = 0; // finite
};

/// One metric with all its samples. A family without samples is not written at all.
struct MetricFamily {
    std::string_view name; // "lockscope_changes": without "_total" and "_info", with its unit
    MetricKind kind = MetricKind::Gauge;
    std::string_view unit; // the last word of the name, "seconds", or empty
    std::string_view help; // one sentence
    std::vector<Sample> samples;
};

enum class Exposition : std::uint8_t {
    OpenMetrics,    // text format 1.0
    PrometheusText, // text format 0.0.4
};

/// The families in their order, each with what describes it.
std::string textOf(std::span<const MetricFamily> families, Exposition exposition);

/// What HTTP calls the form.
std::string_view contentTypeOf(Exposition exposition);

/// The form for a client that accepts this (an Accept header of HTTP): OpenMetrics, unless only the
/// older one is named. Which of the two the client prefers is not weighed.
Exposition expositionFor(std::string_view accept);

} // namespace lockscope::metrics
