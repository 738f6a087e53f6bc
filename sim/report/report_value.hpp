// Reports as values of the JSON library: for `--json`, and between the processes of `heddle check`.
#pragma once

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/report.hpp>

namespace heddle::sim::report {

nlohmann::ordered_json to_value(const Report& report);

/// The way back of to_value().
/// Errors: nlohmann::json::exception or trace::TraceError for anything else.
Report report_from_value(const nlohmann::json& value);

}  // namespace heddle::sim::report
