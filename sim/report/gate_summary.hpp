// What `heddle gate` did, part by part, for people: the summary in Markdown that a pull request
// shows, and the last lines on the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/finding.hpp>

namespace heddle::sim::report {

struct GatePart {
  enum class State : std::uint8_t { passed, failed, incomplete, skipped, internal_error };

  std::string name;
  State state = State::passed;
  std::string text;                    ///< one line of numbers
  std::vector<std::string> shortened;  ///< what was left out or cut short, and why
  std::chrono::nanoseconds elapsed{0};
};

std::string_view to_string(GatePart::State state) noexcept;

struct GateSummary {
  std::vector<GatePart> parts;
  std::vector<CheckResult> results;
  std::vector<Finding> findings;
  std::string audit_markdown;
  std::string coverage_markdown;
  std::chrono::nanoseconds budget{0};
  std::chrono::nanoseconds elapsed{0};
  std::string output;

  /// 3 before 1 before 4 before 0; a part that was left out on request counts nothing.
  int exit_code() const;
  /// The one line that says how to run the most telling failure again.
  std::string replay_line() const;
};

std::string gate_markdown(const GateSummary& summary);
std::string gate_text(const GateSummary& summary, std::size_t width, bool colour);

}  // namespace heddle::sim::report
