#include <heddle/model/linearizability/explanation.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace heddle::model {
namespace {

std::string first_sentence(const Explanation& explanation) {
  const std::size_t shown = explanation.lines.size();
  const std::string_view order = explanation.real_time ? "real time" : "happens-before";
  std::string sentence = fmt::format(
      "not linearizable{}: no order of {} (of {}) that keeps to {} is allowed by the "
      "specification.\n",
      explanation.object ? fmt::format(", object {}", *explanation.object) : "",
      shown == 1 ? "this operation" : fmt::format("these {} operations", shown),
      explanation.operations_total, order);
  if (!explanation.minimal) {
    sentence += "The search budget ended before it was known that all of them are needed.\n";
  }
  return sentence;
}

void append_operations(std::string& text, const Explanation& explanation) {
  std::size_t width = 0;
  for (const auto& line : explanation.lines) {
    width = std::max(width, line.operation.size());
  }
  for (const auto& line : explanation.lines) {
    std::string notes = line.after.empty() ? "" : "after " + list_of(line.after);
    if (line.context) {
      notes += notes.empty() ? "(context)" : "  (context)";
    }
    std::string row = fmt::format("  #{:<3} thread {:<2}  {:<{}}  {}", line.id, line.thread,
                                  line.operation, width, notes);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
}

void append_longest(std::string& text, const Explanation& explanation) {
  if (explanation.longest.empty()) {
    text += fmt::format("Nothing can come first, in state {}:\n", explanation.initial_state);
  } else {
    std::size_t width = std::string_view("start").size();
    for (const auto& step : explanation.longest) {
      width = std::max(width, step.operation.size());
    }
    text += "The longest order that works, with the state behind each operation:\n";
    text += fmt::format("  {:<{}}  {}\n", "start", width, explanation.initial_state);
    for (const auto& step : explanation.longest) {
      text += fmt::format("  {:<{}}  {}\n", step.operation, width, step.state);
    }
    text += "What cannot come next:\n";
  }
  for (const auto& obstacle : explanation.obstacles) {
    text += fmt::format("  #{:<3} {}: {}\n", obstacle.id, obstacle.operation, obstacle.reason);
  }
}

}  // namespace

std::string list_of(const std::vector<OperationId>& operations) {
  std::string text;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    const bool last = at + 1 == operations.size();
    text += fmt::format("{}#{}", at == 0 ? "" : last ? " and " : ", ", operations[at]);
  }
  return text;
}

std::vector<OperationId> direct_predecessors(OperationId id,
                                             const std::vector<OperationId>& operations,
                                             const Order& order) {
  std::vector<OperationId> before;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(before),
               [&](OperationId other) { return order.before(other, id); });
  std::vector<OperationId> direct;
  std::copy_if(before.begin(), before.end(), std::back_inserter(direct), [&](OperationId other) {
    return std::none_of(before.begin(), before.end(),
                        [&](OperationId middle) { return order.before(other, middle); });
  });
  return direct;
}

std::string render(const Explanation& explanation) {
  std::string text = first_sentence(explanation);
  if (!explanation.headline.empty()) {
    text += explanation.headline + '\n';
  }
  append_operations(text, explanation);
  append_longest(text, explanation);
  return text;
}

}  // namespace heddle::model
