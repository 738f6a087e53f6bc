#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/report/documents.hpp>
#include <heddle/sim/report/fold.hpp>
#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::report {
namespace {

using nlohmann::ordered_json;

// A path as the reference of RFC 3986 that SARIF wants; relative ones count from the source root.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char letter : clean(file)) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) ||
                       std::string_view("/._-~+,=@:").find(letter) != std::string_view::npos;
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

ordered_json location(const std::string& file, std::uint32_t line, const std::string& message,
                      const std::string& function = "") {
  ordered_json value;
  if (!file.empty()) {
    ordered_json physical;
    physical["artifactLocation"]["uri"] = uri_of(file);
    physical["region"]["startLine"] = line == 0 ? 1 : line;
    value["physicalLocation"] = std::move(physical);
  }
  if (!function.empty()) {
    value["logicalLocations"] = {{{"fullyQualifiedName", function}, {"kind", "function"}}};
  }
  if (!message.empty()) value["message"]["text"] = message;
  return value;
}

// One step as a threadFlowLocation. `order` counts over all threads.
ordered_json flow_location(const Trace& trace, const Row& row, std::size_t order) {
  const TraceStep& step = trace.steps[row.step];
  const StepText text = text_of(trace, row.step);
  std::string message = fmt::format("{}: {}", thread_name(step.thread), text.action);
  for (const std::string& remark : text.remarks) message += "; " + remark;
  if (row.rounds > 0) {
    message = fmt::format("{}: steps {} to {} again, {}", thread_name(step.thread), row.first,
                          row.last, counted(row.rounds, "time"));
  }
  ordered_json value;
  value["location"] = location(step.file, step.line, message, step.function);
  value["executionOrder"] = order;
  const bool essential = step.stale || step.kind == TraceStep::Kind::blocked;
  value["importance"] = essential ? "essential" : "important";
  return value;
}

// Twice: all steps in the order of time, which viewers that show one flow only will show; and a
// flow per thread, as SARIF means it.
ordered_json code_flows(const Trace& trace) {
  ordered_json together = ordered_json::array();
  std::map<std::uint32_t, ordered_json> by_thread;
  std::size_t order = 0;
  for (const Row& row : fold_loops(trace)) {
    const ordered_json step = flow_location(trace, row, ++order);
    together.push_back(step);
    by_thread[trace.steps[row.step].thread].push_back(step);
  }
  if (together.empty()) return ordered_json::array();
  ordered_json threads = ordered_json::array();
  for (auto& [thread, steps] : by_thread) {
    threads.push_back({{"id", thread_name(thread)}, {"locations", std::move(steps)}});
  }
  ordered_json flows = ordered_json::array();
  ordered_json first;
  first["message"]["text"] = "the execution in the order of time";
  first["threadFlows"] = ordered_json::array({{{"locations", std::move(together)}}});
  flows.push_back(std::move(first));
  ordered_json second;
  second["message"]["text"] = "the execution by threads";
  second["threadFlows"] = std::move(threads);
  flows.push_back(std::move(second));
  return flows;
}

std::string rule_of(const CheckResult& result) {
  const Judgement judgement = judge(result);
  const bool has_kind = judgement == Judgement::failed && result.report.failure;
  return std::string(has_kind ? to_string(result.report.failure->kind) : to_string(judgement));
}

// The same finding in the next run has the same fingerprint, also when lines have moved.
std::string fingerprint(const std::string& name, const std::string& rule) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : name + "\n" + rule) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

ordered_json result_value(const CheckResult& result) {
  const Judgement judgement = judge(result);
  ordered_json value;
  value["ruleId"] = rule_of(result);
  value["level"] = judgement == Judgement::incomplete ? "warning" : "error";
  value["message"]["text"] = fmt::format("{} ({}): {}", result.name, result.shows, explain(result));
  const auto& failure = result.report.failure;
  // Consumers drop results without a place; the scenario's own is always there.
  const bool has_place = failure && !failure->trace.file.empty();
  value["locations"] =
      ordered_json::array({has_place ? location(failure->trace.file, failure->trace.line, "")
                                     : location(result.file, result.line, "")});
  value["partialFingerprints"]["heddleScenario/v1"] = fingerprint(result.name, rule_of(result));
  if (failure) {
    if (ordered_json flows = code_flows(failure->trace); !flows.empty()) {
      value["codeFlows"] = std::move(flows);
    }
  }
  if (!result.trace_file.empty()) value["properties"]["traceFile"] = result.trace_file;
  return value;
}

ordered_json result_value(const Finding& finding) {
  ordered_json value;
  value["ruleId"] = finding.rule;
  value["level"] = finding.state == Finding::State::warning ? "warning" : "error";
  value["message"]["text"] = fmt::format("{}: {}", finding.name, clean(finding.message));
  value["locations"] = ordered_json::array({location(finding.file, finding.line, "")});
  value["partialFingerprints"]["heddleScenario/v1"] = fingerprint(finding.name, finding.rule);
  return value;
}

}  // namespace

std::string sarif_document(const RunInfo& run, std::span<const CheckResult> results,
                           std::span<const Finding> findings) {
  ordered_json found = ordered_json::array();
  std::set<std::string> rules;
  for (const CheckResult& result : results) {
    if (is_fine(judge(result))) continue;
    found.push_back(result_value(result));
    rules.insert(rule_of(result));
  }
  for (const Finding& one : findings) {
    if (one.state == Finding::State::fine) continue;
    found.push_back(result_value(one));
    rules.insert(one.rule);
  }
  ordered_json driver;
  driver["name"] = "heddle";
  driver["semanticVersion"] = HEDDLE_VERSION;
  driver["rules"] = ordered_json::array();
  for (const std::string& rule : rules) driver["rules"].push_back({{"id", rule}});

  ordered_json invocation;
  invocation["executionSuccessful"] = exit_code(results) != 3;
  invocation["exitCode"] = exit_code(results);

  ordered_json only_run;
  only_run["tool"]["driver"] = std::move(driver);
  only_run["invocations"] = ordered_json::array({std::move(invocation)});
  only_run["results"] = std::move(found);
  only_run["properties"] = {{"memoryModel", to_string(run.memory_model)},
                            {"strategy", strategy_name(run.strategy)},
                            {"seed", run.seed}};
  ordered_json document;
  document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  document["version"] = "2.1.0";
  document["runs"] = ordered_json::array({std::move(only_run)});
  return trace::dump(document, 2) + "\n";
}

}  // namespace heddle::sim::report
