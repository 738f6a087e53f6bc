#include <heddle/sim/report/report_value.hpp>

#include <string>
#include <utility>

#include <heddle/sim/trace/json_value.hpp>
#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::report {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_value(const Report& report) {
  ordered_json value;
  value["verdict"] = to_string(report.verdict);
  value["executions"] = report.executions;
  value["blocked"] = report.blocked;
  value["failures"] = report.failures;
  value["seconds"] = std::chrono::duration<double>(report.elapsed).count();
  if (!report.bound.empty()) value["bound"] = report.bound;
  if (report.chance_of_new) value["chance_of_new"] = *report.chance_of_new;
  if (report.shard_complete) value["shard_complete"] = true;
  if (!report.outcomes.empty()) {
    ordered_json outcomes = ordered_json::array();
    for (const auto& [outcome, count] : report.outcomes) {
      outcomes.push_back({{"values", outcome}, {"executions", count}});
    }
    value["outcomes"] = std::move(outcomes);
  }
  if (report.failure) {
    ordered_json failure;
    failure["kind"] = to_string(report.failure->kind);
    failure["message"] = report.failure->message;
    failure["trace"] = trace::to_value(report.failure->trace);
    value["failure"] = std::move(failure);
  }
  return value;
}

Report report_from_value(const json& value) {
  Report report;
  report.verdict =
      trace::verdict(value.at("verdict").get<std::string>()).value_or(Verdict::internal_error);
  report.executions = value.at("executions").get<std::uint64_t>();
  report.blocked = value.at("blocked").get<std::uint64_t>();
  report.failures = value.at("failures").get<std::uint64_t>();
  const std::chrono::duration<double> seconds(value.at("seconds").get<double>());
  report.elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
  report.bound = value.value("bound", "");
  if (value.contains("chance_of_new")) {
    report.chance_of_new = value["chance_of_new"].get<double>();
  }
  report.shard_complete = value.value("shard_complete", false);
  if (value.contains("outcomes")) {
    for (const json& outcome : value["outcomes"]) {
      report.outcomes[outcome.at("values").get<Outcome>()] =
          outcome.at("executions").get<std::uint64_t>();
    }
  }
  if (value.contains("failure")) {
    const json& failure = value["failure"];
    Failure found;
    found.kind =
        trace::failure_kind(failure.at("kind").get<std::string>()).value_or(FailureKind::misuse);
    found.message = failure.at("message").get<std::string>();
    found.trace = trace::from_value(failure.at("trace"), "the report");
    report.failure = std::move(found);
  }
  return report;
}

}  // namespace heddle::sim::report
