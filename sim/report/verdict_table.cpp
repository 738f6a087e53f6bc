#include <heddle/sim/report/verdict_table.hpp>

#include <map>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/report/table.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

Style style_of(Judgement judgement) {
  if (judgement == Judgement::incomplete) return Style::yellow;
  if (!is_fine(judgement)) return Style::red;
  const bool green = judgement == Judgement::verified || judgement == Judgement::caught;
  return green ? Style::green : Style::yellow;
}

// Executions that found nothing, and with a failure the one that found it.
std::uint64_t executions_of(const CheckResult& result) {
  return result.report.executions + result.report.failures;
}

Table make_table(const std::string& name, const std::string& shows) {
  return Table({{name, false, false},
                {shows, false, true},
                {"threads", true, false},
                {"executions", true, false},
                {"verdict", false, false},
                {"time", true, false}});
}

void add(Table& table, const CheckResult& result, const std::string& shows) {
  const Judgement judgement = judge(result);
  table.add({{result.name, Style::plain},
             {shows, Style::plain},
             {result.threads == 0 ? "–" : fmt::format("{}", result.threads), Style::plain},
             {grouped(executions_of(result)), Style::plain},
             {std::string(word_for(judgement)), style_of(judgement)},
             {duration_text(result.report.elapsed), Style::plain}});
}

std::string caught_text(const CheckResult& result) {
  const std::string kind(to_string(*result.expect));
  return result.caught_by.empty() ? kind : fmt::format("{} ({})", result.caught_by, kind);
}

// "3 scenarios: 2 verified, 1 FAILED."
std::string sum(std::span<const CheckResult> results, bool known_bad, std::string_view one) {
  std::map<Judgement, std::uint64_t> counts;
  std::uint64_t total = 0;
  for (const CheckResult& result : results) {
    if (result.expect.has_value() != known_bad) continue;
    ++counts[judge(result)];
    ++total;
  }
  if (total == 0) return "";
  std::string text = counted(total, one) + ":";
  std::string_view separator = " ";
  for (const auto& [judgement, count] : counts) {
    text += fmt::format("{}{} {}", separator, grouped(count), word_for(judgement));
    separator = ", ";
  }
  return text + ".";
}

// What a row cannot say: why it is not complete, and what is wrong.
std::string remarks(const RunInfo& run, std::span<const CheckResult> results, std::size_t width,
                    const Painter& paint) {
  std::string text;
  for (const CheckResult& result : results) {
    const Judgement judgement = judge(result);
    std::string remark = explain(result);
    if (judgement == Judgement::sampled) {
      remark = fmt::format("{} looked at, not all there are ({}, seed {}{})",
                           counted(result.report.executions, "execution"),
                           strategy_name(result.strategy), run.seed,
                           result.report.bound.empty() ? "" : "; " + result.report.bound);
    } else if (judgement == Judgement::not_shown) {
      remark = "verified under sc: the defect needs weak memory (check it under rc11)";
    }
    if (remark.empty()) continue;
    const std::string whole =
        fmt::format("{}: {}: {}", result.name, word_for(judgement), clean(remark));
    for (const std::string& line : wrap(whole, width, 2)) {
      text += paint(style_of(judgement), line) + '\n';
    }
  }
  return text;
}

}  // namespace

std::string verdict_table(const RunInfo& run, std::span<const CheckResult> results,
                          std::size_t width, bool colour) {
  const Painter paint(colour);
  Table scenarios = make_table("scenario", "what it shows");
  Table known_bad = make_table("known bad", "caught by");
  for (const CheckResult& result : results) {
    if (result.expect) {
      add(known_bad, result, caught_text(result));
    } else {
      add(scenarios, result, result.shows);
    }
  }
  std::string text;
  if (!scenarios.empty()) text += scenarios.text(width, paint) + '\n';
  if (!known_bad.empty()) text += known_bad.text(width, paint) + '\n';
  if (const std::string wrong = remarks(run, results, width, paint); !wrong.empty()) {
    text += wrong + '\n';
  }
  const bool fine = exit_code(results) == 0;
  for (const std::string& line : wrap(verdict_line(run, results), width, 2)) {
    text += paint(fine ? Style::bold : Style::red, line) + '\n';
  }
  return text;
}

std::string verdict_line(const RunInfo& run, std::span<const CheckResult> results) {
  std::string text;
  for (const std::string& part :
       {sum(results, false, "scenario"), sum(results, true, "known-bad variant")}) {
    if (!part.empty()) text += part + " ";
  }
  if (text.empty()) text = "Nothing was checked. ";
  const std::string seed =
      run.strategy == Strategy::exhaustive ? "" : fmt::format(", seed {}", run.seed);
  return fmt::format("{}({}, {}{}, {})", text, to_string(run.memory_model),
                     strategy_name(run.strategy), seed, duration_text(run.elapsed));
}

}  // namespace heddle::sim::report
