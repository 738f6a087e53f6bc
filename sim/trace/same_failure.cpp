#include <heddle/sim/trace/same_failure.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace heddle::sim::trace {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Every number as '#': "3 operations" and "4 operations" are one message.
std::string without_numbers(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!is_digit(c)) {
      result += c;
    } else if (!result.ends_with('#')) {
      result += '#';
    }
  }
  return result;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string place(const std::string& file, std::uint32_t line, Lines lines) {
  return lines == Lines::compare ? fmt::format("{}:{}", file, line) : file;
}

// "thread 1: access at a.hpp:63" without the thread, and without the line when it does not count.
std::string conflict_place(std::string_view text, Lines lines) {
  const std::size_t colon = text.find(": ");
  if (text.starts_with("thread ") && colon != std::string_view::npos) {
    text.remove_prefix(colon + 2);
  }
  return lines == Lines::compare ? std::string(text) : without_numbers(text);
}

std::string conflict_of(const Trace& trace, Lines lines) {
  std::set<std::string> places;
  for (const std::string& one : trace.conflict) places.insert(conflict_place(one, lines));
  return fmt::format("{}", fmt::join(places, "; "));
}

std::string waits_of(const Trace& trace, Lines lines) {
  std::set<std::string> places;
  for (const TraceStep& step : trace.steps) {
    const bool waits = step.kind == TraceStep::Kind::blocked && !step.location.empty();
    if (!waits && step.kind != TraceStep::Kind::spin) continue;
    places.insert(fmt::format("{} {} {} {}", to_string(step.kind), step.role, step.text,
                              place(step.file, step.line, lines)));
  }
  return fmt::format("{}", fmt::join(places, "; "));
}

}  // namespace

std::string failure_signature(const Trace& trace, Lines lines) {
  const std::string_view kind = to_string(trace.failure);
  switch (trace.failure) {
    case FailureKind::data_race:
      return fmt::format("{} {}", kind, conflict_of(trace, lines));
    case FailureKind::deadlock:
    case FailureKind::livelock:
      return fmt::format("{} {}", kind, waits_of(trace, lines));
    case FailureKind::nondeterminism:
      return std::string(kind);  // what it does instead is another thing every time
    case FailureKind::leak:
      return fmt::format("{} {}", kind, conflict_of(trace, Lines::ignore));
    case FailureKind::use_after_free:
      if (!trace.conflict.empty()) return fmt::format("{} {}", kind, conflict_of(trace, lines));
      break;
    default:
      break;
  }
  return fmt::format("{} {} {}", kind, place(trace.file, trace.line, lines),
                     without_numbers(first_line(trace.message)));
}

}  // namespace heddle::sim::trace
