// The decisions of a trace as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/fields.hpp>

namespace heddle::sim::trace {

nlohmann::ordered_json decisions_value(const std::vector<TraceDecision>& decisions);

/// The way back: `list` is the value of the document's field "decisions".
std::vector<TraceDecision> decisions_from(const nlohmann::json& list,
                                          const Fields::Complaint& complain);

}  // namespace heddle::sim::trace
