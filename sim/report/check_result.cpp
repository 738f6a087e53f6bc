#include <heddle/sim/report/check_result.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

Judgement judge_known_bad(const CheckResult& result) {
  const Report& report = result.report;
  switch (report.verdict) {
    case Verdict::failed: {
      const bool expected = report.failure && report.failure->kind == *result.expect;
      return expected ? Judgement::caught : Judgement::wrong_failure;
    }
    case Verdict::verified:
      // Expectations are made for rc11. Under sc a defect of memory orders may not exist.
      return result.memory_model == MemoryModel::sc ? Judgement::not_shown : Judgement::not_caught;
    case Verdict::incomplete:
      return result.strategy == Strategy::exhaustive ? Judgement::incomplete
                                                     : Judgement::not_caught;
    case Verdict::internal_error:
      break;
  }
  return Judgement::internal_error;
}

Judgement judge_ordinary(const CheckResult& result) {
  const Report& report = result.report;
  switch (report.verdict) {
    case Verdict::failed:
      return Judgement::failed;
    case Verdict::verified:
      if (report.executions == 0) return Judgement::vacuous;
      if (result.golden_executions != 0 && report.executions != result.golden_executions) {
        return Judgement::wrong_count;
      }
      return Judgement::verified;
    case Verdict::incomplete:
      return result.strategy == Strategy::exhaustive ? Judgement::incomplete : Judgement::sampled;
    case Verdict::internal_error:
      break;
  }
  return Judgement::internal_error;
}

std::string bound_of(const Report& report) {
  return report.bound.empty() ? "no reason was given" : report.bound;
}

}  // namespace

Judgement judge(const CheckResult& result) {
  if (!result.crash.empty()) return Judgement::crashed;
  return result.expect ? judge_known_bad(result) : judge_ordinary(result);
}

std::string_view word_for(Judgement judgement) noexcept {
  switch (judgement) {
    case Judgement::verified:
      return "verified";
    case Judgement::caught:
      return "caught";
    case Judgement::sampled:
      return "sampled";
    case Judgement::not_shown:
      return "not shown";
    case Judgement::failed:
      return "FAILED";
    case Judgement::not_caught:
      return "NOT CAUGHT";
    case Judgement::wrong_failure:
      return "WRONG FAILURE";
    case Judgement::wrong_count:
      return "WRONG COUNT";
    case Judgement::vacuous:
      return "VACUOUS";
    case Judgement::incomplete:
      return "incomplete";
    case Judgement::crashed:
      return "CRASHED";
    case Judgement::internal_error:
      break;
  }
  return "INTERNAL ERROR";
}

std::string_view to_string(Judgement judgement) noexcept {
  switch (judgement) {
    case Judgement::verified:
      return "verified";
    case Judgement::caught:
      return "caught";
    case Judgement::sampled:
      return "sampled";
    case Judgement::not_shown:
      return "not_shown";
    case Judgement::failed:
      return "failed";
    case Judgement::not_caught:
      return "not_caught";
    case Judgement::wrong_failure:
      return "wrong_failure";
    case Judgement::wrong_count:
      return "wrong_count";
    case Judgement::vacuous:
      return "vacuous";
    case Judgement::incomplete:
      return "incomplete";
    case Judgement::crashed:
      return "crashed";
    case Judgement::internal_error:
      break;
  }
  return "internal_error";
}

bool is_fine(Judgement judgement) noexcept { return exit_code(judgement) == 0; }

std::string explain(const CheckResult& result) {
  const Report& report = result.report;
  switch (judge(result)) {
    case Judgement::verified:
    case Judgement::caught:
    case Judgement::sampled:
    case Judgement::not_shown:
      return "";
    case Judgement::failed:
      return report.failure
                 ? fmt::format("{}: {}", to_string(report.failure->kind), report.failure->message)
                 : "a failure without description";
    case Judgement::not_caught:
      return fmt::format(
          "this known-bad variant must fail with {}, and {} of it showed no failure: the check "
          "({}) has lost its power, or the variant its defect",
          to_string(*result.expect), counted(report.executions, "execution"),
          result.caught_by.empty() ? "not named" : result.caught_by);
    case Judgement::wrong_failure:
      return fmt::format("this known-bad variant must fail with {}, but failed with {}: {}",
                         to_string(*result.expect),
                         report.failure ? to_string(report.failure->kind) : "nothing known",
                         report.failure ? report.failure->message : "");
    case Judgement::wrong_count:
      return fmt::format(
          "{} explored, where the scenario states {}: either the code under test does something "
          "else now (state the new count, with the reason), or the explorer lost or repeated some",
          counted(report.executions, "execution"), grouped(result.golden_executions));
    case Judgement::vacuous:
      return "not one execution ran to its end, so nothing was checked: is there an assume() that "
             "never holds?";
    case Judgement::incomplete:
      if (report.shard_complete) {
        return fmt::format(
            "{}, and all of it was explored without a failure; `heddle merge` joins the JSON "
            "reports of all shards into the verdict",
            bound_of(report));
      }
      return fmt::format(
          "stopped by {} after {} without a failure; give it more, make the "
          "scenario smaller, or choose a sampling strategy",
          bound_of(report), counted(report.executions, "execution"));
    case Judgement::crashed:
      return fmt::format("{}; run `heddle check {} --in-process` under a debugger to see where",
                         result.crash, result.name);
    case Judgement::internal_error:
      break;
  }
  return fmt::format(
      "{}. This is a defect of heddle, not of the code under test: please report it "
      "with the scenario and the command line",
      bound_of(report));
}

int exit_code(Judgement judgement) noexcept {
  switch (judgement) {
    case Judgement::verified:
    case Judgement::caught:
    case Judgement::sampled:
    case Judgement::not_shown:
      return 0;
    case Judgement::failed:
    case Judgement::not_caught:
    case Judgement::wrong_failure:
    case Judgement::wrong_count:
    case Judgement::vacuous:
      return 1;
    case Judgement::incomplete:
      return 4;
    case Judgement::crashed:
    case Judgement::internal_error:
      break;
  }
  return 3;
}

int exit_code(std::span<const CheckResult> results) {
  int code = 0;
  const auto weight = [](int one) { return one == 3 ? 3 : one == 1 ? 2 : one == 4 ? 1 : 0; };
  for (const CheckResult& result : results) {
    const int one = exit_code(judge(result));
    if (weight(one) > weight(code)) code = one;
  }
  return code;
}

std::string_view strategy_name(Strategy strategy) noexcept {
  switch (strategy) {
    case Strategy::exhaustive:
      return "exhaustive";
    case Strategy::bounded:
      return "bounded";
    case Strategy::random:
      return "random";
    case Strategy::pct:
      return "pct";
    case Strategy::pos:
      return "pos";
  }
  return "unknown";
}

std::string duration_text(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 1) return fmt::format("{:.2f} s", std::max(0.0, seconds));
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace heddle::sim::report
