#include <string>
#include <utility>

#include <heddle/sim/report/documents.hpp>
#include <heddle/sim/report/report_value.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::report {
namespace {

using nlohmann::ordered_json;

ordered_json scenario_value(const CheckResult& result) {
  const Judgement judgement = judge(result);
  ordered_json value;
  value["name"] = result.name;
  value["shows"] = result.shows;
  if (!result.group.empty()) value["group"] = result.group;
  value["judgement"] = to_string(judgement);
  value["fine"] = is_fine(judgement);
  if (const std::string why = explain(result); !why.empty()) value["explanation"] = why;
  if (result.threads != 0) value["threads"] = result.threads;
  value["file"] = result.file;
  value["line"] = result.line;
  if (result.expect) {
    value["known_bad"] = {{"expected_failure", to_string(*result.expect)},
                          {"caught_by", result.caught_by}};
  }
  if (result.golden_executions != 0) value["golden_executions"] = result.golden_executions;
  value["strategy"] = strategy_name(result.strategy);
  if (!result.crash.empty()) value["crash"] = result.crash;
  if (!result.trace_file.empty()) value["trace_file"] = result.trace_file;
  value["report"] = to_value(result.report);
  return value;
}

}  // namespace

std::string json_document(const RunInfo& run, std::span<const CheckResult> results) {
  ordered_json document;
  document["format"] = "heddle-report";
  document["version"] = 1;
  document["memory_model"] = to_string(run.memory_model);
  document["strategy"] = strategy_name(run.strategy);
  document["seed"] = run.seed;
  if (!run.build.empty()) document["build"] = run.build;
  if (run.shards != 0) document["shard"] = {{"index", run.shard}, {"of", run.shards}};
  document["seconds"] = std::chrono::duration<double>(run.elapsed).count();
  document["exit_code"] = exit_code(results);
  document["scenarios"] = ordered_json::array();
  for (const CheckResult& result : results) {
    document["scenarios"].push_back(scenario_value(result));
  }
  return trace::dump(document, 2) + "\n";
}

}  // namespace heddle::sim::report
