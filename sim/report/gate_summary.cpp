#include <heddle/sim/report/gate_summary.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/table.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

using State = GatePart::State;

int code_of(State state) {
  switch (state) {
    case State::passed:
    case State::skipped:
      return 0;
    case State::failed:
      return 1;
    case State::incomplete:
      return 4;
    case State::internal_error:
      break;
  }
  return 3;
}

int weight(int code) { return code == 3 ? 3 : code == 1 ? 2 : code == 4 ? 1 : 0; }

std::string place_of(const std::string& file, std::uint32_t line) {
  if (file.empty()) return "";
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

// Where a scenario failed, else where it stands.
std::string place_of(const CheckResult& result) {
  const auto& failure = result.report.failure;
  if (failure && !failure->trace.file.empty()) {
    return place_of(failure->trace.file, failure->trace.line);
  }
  return place_of(result.file, result.line);
}

// What needs attention, a line each.
std::vector<std::string> complaints(const GateSummary& summary) {
  std::vector<std::string> lines;
  for (const CheckResult& one : summary.results) {
    const Judgement judgement = judge(one);
    if (is_fine(judgement)) continue;
    std::string line = fmt::format("{}: {} {}: {}", place_of(one), one.name, word_for(judgement),
                                   clean(explain(one)));
    if (!one.trace_file.empty()) line += fmt::format(" (heddle replay {})", one.trace_file);
    lines.push_back(std::move(line));
  }
  for (const Finding& one : summary.findings) {
    if (one.state == Finding::State::fine) continue;
    lines.push_back(
        fmt::format("{}: {}: {}", place_of(one.file, one.line), one.name, clean(one.message)));
  }
  return lines;
}

std::string mark(State state) {
  switch (state) {
    case State::passed:
      return "✅ passed";
    case State::failed:
      return "❌ **FAILED**";
    case State::incomplete:
      return "❌ **incomplete**";
    case State::skipped:
      return "➖ left out";
    case State::internal_error:
      break;
  }
  return "❌ **INTERNAL ERROR**";
}

std::string verdict_word(int code) {
  return code == 0 ? "passed" : code == 4 ? "INCOMPLETE" : code == 1 ? "FAILED" : "INTERNAL ERROR";
}

std::vector<std::string> shortened(const GateSummary& summary) {
  std::vector<std::string> lines;
  for (const GatePart& part : summary.parts) {
    for (const std::string& one : part.shortened) {
      lines.push_back(fmt::format("{}: {}", part.name, one));
    }
  }
  return lines;
}

}  // namespace

std::string_view to_string(State state) noexcept {
  switch (state) {
    case State::passed:
      return "passed";
    case State::failed:
      return "failed";
    case State::incomplete:
      return "incomplete";
    case State::skipped:
      return "skipped";
    case State::internal_error:
      break;
  }
  return "internal_error";
}

int GateSummary::exit_code() const {
  int code = 0;
  for (const GatePart& part : parts) {
    if (weight(code_of(part.state)) > weight(code)) code = code_of(part.state);
  }
  return code;
}

std::string GateSummary::replay_line() const {
  const auto recorded = std::find_if(results.begin(), results.end(), [](const CheckResult& one) {
    return !is_fine(judge(one)) && !one.trace_file.empty();
  });
  if (recorded != results.end()) {
    return fmt::format("replay: heddle replay {}", recorded->trace_file);
  }
  const auto bad = std::find_if(results.begin(), results.end(),
                                [](const CheckResult& one) { return !is_fine(judge(one)); });
  if (bad != results.end()) {
    return fmt::format("replay: heddle check {} (it left no trace)", bad->name);
  }
  const auto trace = std::find_if(findings.begin(), findings.end(), [](const Finding& one) {
    return one.suite == "replay" && one.state != Finding::State::fine;
  });
  if (trace != findings.end()) return fmt::format("replay: heddle replay {}", trace->name);
  return "replay: nothing failed; a trace of any run: heddle replay TRACE";
}

std::string gate_markdown(const GateSummary& summary) {
  std::string text = fmt::format("# heddle gate: {}\n\n", verdict_word(summary.exit_code()));
  text += "| part | result | what | time |\n|---|---|---|---|\n";
  for (const GatePart& part : summary.parts) {
    text += fmt::format("| {} | {} | {} | {} |\n", part.name, mark(part.state),
                        markdown_cell(part.text), duration_text(part.elapsed));
  }
  text += fmt::format("\n{} of a budget of {}.\n", duration_text(summary.elapsed),
                      duration_text(summary.budget));
  const auto list = [&](std::string_view title, const std::vector<std::string>& lines,
                        std::string_view none) {
    text += fmt::format("\n## {}\n\n", title);
    if (lines.empty()) text += fmt::format("{}\n", none);
    for (const std::string& line : lines) text += fmt::format("* {}\n", line);
  };
  list("What needs attention", complaints(summary), "Nothing.");
  for (const CheckResult& one : summary.results) {
    if (is_fine(judge(one)) || !one.report.failure) continue;
    text += fmt::format(
        "\n<details><summary>{}: the failing execution</summary>\n\n```text\n{}"
        "```\n</details>\n",
        one.name, view(one.report.failure->trace, {120, false, true}));
  }
  list("Left out or cut short", shortened(summary), "Nothing.");

  text +=
      "\n## Scenarios\n\n| scenario | result | executions | strategy | time |\n"
      "|---|---|---|---|---|\n";
  for (const CheckResult& one : summary.results) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(one.name),
                        word_for(judge(one)), grouped(one.report.executions),
                        strategy_name(one.strategy), duration_text(one.report.elapsed));
  }
  if (!summary.audit_markdown.empty()) {
    text += fmt::format("\n## Memory orders\n\n{}", summary.audit_markdown);
  }
  if (!summary.coverage_markdown.empty()) {
    text += fmt::format("\n## Coverage of atomic operations\n\n{}", summary.coverage_markdown);
  }
  return text + fmt::format("\n{}\n", summary.replay_line());
}

std::string gate_text(const GateSummary& summary, std::size_t width, bool colour) {
  const Painter paint(colour);
  Table table({{"part", false, false},
               {"result", false, false},
               {"what", false, true},
               {"time", true, false}});
  for (const GatePart& part : summary.parts) {
    const Style style = code_of(part.state) != 0       ? Style::red
                        : part.state == State::skipped ? Style::yellow
                                                       : Style::green;
    table.add({{part.name},
               {std::string(to_string(part.state)), style},
               {part.text},
               {duration_text(part.elapsed)}});
  }
  std::string text = table.text(width, paint) + "\n";
  for (const std::string& line : complaints(summary)) text += line + "\n";
  for (const std::string& line : shortened(summary))
    text += "left out or cut short: " + line + "\n";
  text += fmt::format("gate {} after {}; reports in {}/\n", verdict_word(summary.exit_code()),
                      duration_text(summary.elapsed), summary.output);
  return text + summary.replay_line() + "\n";
}

}  // namespace heddle::sim::report
