#include <heddle/sim/report/chrome_trace.hpp>

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include <heddle/sim/report/history.hpp>
#include <heddle/sim/report/relations.hpp>
#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::report {
namespace {

using nlohmann::ordered_json;

// In microseconds. An operation starts before its first step and ends behind its last one.
constexpr double step_length = 0.8;
constexpr int process = 1;

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace), relations_(trace) {}

  std::string write() {
    name_tracks();
    for (const Operation& operation : operations(trace_)) add_operation(operation);
    for (std::size_t at = 0; at < trace_.steps.size(); ++at) add_step(at);
    for (std::size_t at = 0; at < trace_.steps.size(); ++at) {
      const auto source = relations_.source(at);
      const bool is_elsewhere =
          source && relations_.thread_index(*source) != relations_.thread_index(at);
      if (is_elsewhere) add_flow("reads-from", *source, at);
    }
    for (const auto& one : relations_.synchronisations()) {
      add_flow("synchronises-with", one.from, one.to);
    }
    ordered_json document;
    document["displayTimeUnit"] = "ns";
    document["otherData"] = {{"scenario", clean(trace_.scenario)},
                             {"failure", to_string(trace_.failure)},
                             {"message", clean(trace_.message)},
                             {"memory_model", clean(trace_.memory_model)},
                             {"time", "one step is one microsecond"}};
    document["traceEvents"] = std::move(events_);
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  }

 private:
  // Track 0 is the idle task to some viewers.
  static std::uint64_t track(std::uint32_t thread) { return std::uint64_t{thread} + 1; }

  ordered_json& add(const char* phase, std::string name, std::uint64_t tid) {
    events_.push_back({{"ph", phase}, {"name", std::move(name)}, {"pid", process}, {"tid", tid}});
    return events_.back();
  }

  void name_tracks() {
    add("M", "process_name", 0)["args"] = {
        {"name", fmt::format("{} ({})", clean(trace_.scenario), to_string(trace_.failure))}};
    for (const std::uint32_t thread : relations_.threads()) {
      add("M", "thread_name", track(thread))["args"] = {{"name", thread_name(thread)}};
      add("M", "thread_sort_index", track(thread))["args"] = {{"sort_index", thread}};
    }
  }

  void add_operation(const Operation& operation) {
    const std::size_t end = operation.returned ? *operation.returned : trace_.steps.size() - 1;
    ordered_json& slice = add("X", clean(operation.call), track(operation.thread));
    slice["cat"] = "operation";
    slice["ts"] = operation.called;
    slice["dur"] = static_cast<double>(end - operation.called) + step_length;
    slice["args"] = {{"result", operation.returned ? clean(operation.result) : "never returned"}};
  }

  void add_step(std::size_t at) {
    const TraceStep& step = trace_.steps[at];
    const StepText text = text_of(trace_, at);
    ordered_json& slice = add("X", text.action, track(step.thread));
    slice["cat"] = step.stale ? "stale" : std::string(to_string(step.kind));
    slice["ts"] = at;
    slice["dur"] = step_length;
    ordered_json& details = slice["args"] = {{"step", at}};
    if (!step.file.empty()) details["place"] = place(step.file, step.line);
    if (!step.function.empty()) details["function"] = clean(step.function);
    for (const std::string& remark : text.remarks) details["remark"] = remark;
  }

  // An arrow begins within one slice and ends within another.
  void add_flow(const char* name, std::size_t from, std::size_t to) {
    const std::uint64_t id = ++flows_;
    const auto end = [&](const char* phase, std::size_t at) -> ordered_json& {
      ordered_json& event = add(phase, name, track(trace_.steps[at].thread));
      event["cat"] = "memory";
      event["id"] = id;
      event["ts"] = static_cast<double>(at) + step_length / 2;
      return event;
    };
    end("s", from);
    end("f", to)["bp"] = "e";
  }

  const Trace& trace_;
  Relations relations_;
  ordered_json events_ = ordered_json::array();
  std::uint64_t flows_ = 0;
};

}  // namespace

std::string chrome_trace(const Trace& trace) { return Writer(trace).write(); }

}  // namespace heddle::sim::report
