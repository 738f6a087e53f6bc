// The words of a trace file: every enumerator by its name, and which name a wrong one was meant to
// be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/explore/report.hpp>

namespace heddle::sim::trace {

std::optional<TraceStep::Kind> step_kind(std::string_view name);
std::optional<TraceDecision::Kind> decision_kind(std::string_view name);
std::optional<FailureKind> failure_kind(std::string_view name);
std::optional<MemoryModel> memory_model(std::string_view name);
std::optional<Verdict> verdict(std::string_view name);

std::vector<std::string> step_kind_names();
std::vector<std::string> decision_kind_names();
std::vector<std::string> failure_kind_names();
std::vector<std::string> memory_model_names();
std::vector<std::string> memory_order_names();

/// The candidate that `word` is most likely a slip of; nothing when none is near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'store'?", or nothing when no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace heddle::sim::trace
