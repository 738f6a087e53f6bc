#include <heddle/sim/trace/names.hpp>

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include <fmt/format.h>

namespace heddle::sim::trace {
namespace {

using Kind = TraceStep::Kind;

constexpr auto step_kinds = {Kind::load,          Kind::store,      Kind::rmw,
                             Kind::fence,         Kind::choose,     Kind::spawn,
                             Kind::join,          Kind::await_load, Kind::await_rmw,
                             Kind::cell_read,     Kind::cell_write, Kind::operation_begin,
                             Kind::operation_end, Kind::blocked,    Kind::spin};

constexpr auto decision_kinds = {TraceDecision::Kind::run, TraceDecision::Kind::read,
                                 TraceDecision::Kind::place, TraceDecision::Kind::choose};

constexpr auto failure_kinds = {FailureKind::check,
                                FailureKind::exception,
                                FailureKind::data_race,
                                FailureKind::use_after_free,
                                FailureKind::uninitialised_read,
                                FailureKind::double_free,
                                FailureKind::leak,
                                FailureKind::deadlock,
                                FailureKind::livelock,
                                FailureKind::unjoined_thread,
                                FailureKind::misuse,
                                FailureKind::nondeterminism};

constexpr auto memory_models = {MemoryModel::sc, MemoryModel::rc11};

constexpr auto verdicts = {Verdict::verified, Verdict::failed, Verdict::incomplete,
                           Verdict::internal_error};

// The names themselves stand once, in to_string().
template <class Enum>
std::optional<Enum> by_name(std::initializer_list<Enum> all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](Enum one) { return to_string(one) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

template <class Enum>
std::vector<std::string> names_of(std::initializer_list<Enum> all) {
  std::vector<std::string> names;
  for (const Enum one : all) names.emplace_back(to_string(one));
  return names;
}

char folded(char letter) {
  if (letter == '-') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

// Optimal string alignment distance: insert, remove, replace, or swap two neighbours.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(to.size() + 1);
  for (std::size_t column = 0; column <= to.size(); ++column) last[column] = column;
  for (std::size_t row = 1; row <= from.size(); ++row) {
    std::vector<std::size_t> current(to.size() + 1);
    current[0] = row;
    for (std::size_t column = 1; column <= to.size(); ++column) {
      const bool same = folded(from[row - 1]) == folded(to[column - 1]);
      current[column] =
          std::min({last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1)});
      const bool swapped = row > 1 && column > 1 &&
                           folded(from[row - 1]) == folded(to[column - 2]) &&
                           folded(from[row - 2]) == folded(to[column - 1]);
      if (swapped) current[column] = std::min(current[column], before_last[column - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(current);
  }
  return last.back();
}

}  // namespace

std::optional<Kind> step_kind(std::string_view name) { return by_name(step_kinds, name); }
std::optional<TraceDecision::Kind> decision_kind(std::string_view name) {
  return by_name(decision_kinds, name);
}
std::optional<FailureKind> failure_kind(std::string_view name) {
  return by_name(failure_kinds, name);
}
std::optional<MemoryModel> memory_model(std::string_view name) {
  return by_name(memory_models, name);
}
std::optional<Verdict> verdict(std::string_view name) { return by_name(verdicts, name); }

std::vector<std::string> step_kind_names() { return names_of(step_kinds); }
std::vector<std::string> decision_kind_names() { return names_of(decision_kinds); }
std::vector<std::string> failure_kind_names() { return names_of(failure_kinds); }
std::vector<std::string> memory_model_names() { return names_of(memory_models); }
std::vector<std::string> memory_order_names() {
  return {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_word = 200;  // the distance is quadratic
  if (word.size() > longest_word) return std::nullopt;
  std::optional<std::string> best;
  // A third of the letters may be wrong; with more, the suggestion would be noise.
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_word) continue;
    const std::size_t found = distance(word, candidate);
    if (found < best_distance) {
      best_distance = found;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto found = nearest(word, candidates);
  return found ? fmt::format("; did you mean '{}'?", *found) : std::string();
}

}  // namespace heddle::sim::trace
