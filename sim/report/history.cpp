#include <heddle/sim/report/history.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

constexpr std::size_t scale_min = 12;
constexpr std::size_t scale_max = 40;

std::string words_of(const Operation& operation) {
  std::string words = clean(operation.call);
  if (!operation.returned) return words + ", never returned";
  if (!operation.result.empty()) words += " → " + clean(operation.result);
  return words;
}

// "  ├────┤    ": the steps of the trace scaled to `width` columns. What never returned has no
// right end.
std::string interval(const Operation& operation, std::size_t steps, std::size_t width) {
  const auto column = [&](std::size_t step) {
    return steps <= width ? step : step * (width - 1) / (steps - 1);
  };
  const std::size_t used = std::min(steps, width);
  const std::size_t from = column(operation.called);
  const std::size_t to =
      operation.returned ? std::max(column(*operation.returned), from) : used - 1;
  std::string drawn(from, ' ');
  if (from == to) return pad(drawn + "│", width);
  drawn += "├";
  for (std::size_t at = from + 1; at < to; ++at) drawn += "─";
  drawn += operation.returned ? "┤" : "…";
  return pad(drawn, width);
}

}  // namespace

std::vector<Operation> operations(const Trace& trace) {
  std::vector<Operation> found;
  std::map<std::uint32_t, std::vector<std::size_t>> open;
  for (std::size_t index = 0; index < trace.steps.size(); ++index) {
    const TraceStep& step = trace.steps[index];
    auto& mine = open[step.thread];
    if (step.kind == TraceStep::Kind::operation_begin) {
      mine.push_back(found.size());
      found.push_back({step.thread, index, std::nullopt, step.text, ""});
    } else if (step.kind == TraceStep::Kind::operation_end && !mine.empty()) {
      found[mine.back()].returned = index;
      found[mine.back()].result = step.text;
      mine.pop_back();
    }
  }
  return found;
}

std::vector<std::string> history_lines(const Trace& trace, std::size_t width) {
  const std::vector<Operation> all = operations(trace);
  std::vector<std::string> lines;
  const std::size_t scale =
      std::min({std::clamp(width / 3, scale_min, scale_max), trace.steps.size()});
  std::size_t number_width = 1;
  std::size_t thread_width = 1;
  for (const Operation& operation : all) {
    number_width = std::max(number_width, fmt::formatted_size("{}", operation.called));
    if (operation.returned) {
      number_width = std::max(number_width, fmt::formatted_size("{}", *operation.returned));
    }
    thread_width = std::max(thread_width, thread_name(operation.thread).size());
  }
  for (const Operation& operation : all) {
    const std::string returned = operation.returned ? fmt::format("{}", *operation.returned) : "";
    const std::string head =
        fmt::format("{}  {:>{}}–{:<{}}  {}  ", pad(thread_name(operation.thread), thread_width),
                    operation.called, number_width, returned, number_width,
                    interval(operation, trace.steps.size(), scale));
    const std::size_t used = width_of(head);
    lines.push_back(head + shorten(words_of(operation), width > used ? width - used : 1));
  }
  return lines;
}

}  // namespace heddle::sim::report
