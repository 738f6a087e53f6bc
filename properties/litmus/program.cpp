#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace heddle::litmus {

namespace {

constexpr std::array<std::pair<std::string_view, std::memory_order>, 5> order_names{{
    {"rlx", std::memory_order_relaxed},
    {"acq", std::memory_order_acquire},
    {"rel", std::memory_order_release},
    {"acq_rel", std::memory_order_acq_rel},
    {"sc", std::memory_order_seq_cst},
}};

[[noreturn]] void reject(std::string_view what, std::string_view text) {
  throw std::invalid_argument(fmt::format("litmus program: {}: '{}'", what, text));
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

int number(const std::string& word, std::string_view context) {
  std::size_t used = 0;
  int result = 0;
  try {
    result = std::stoi(word, &used);
  } catch (const std::exception&) {
    reject("not a number in", context);
  }
  if (used != word.size()) reject("not a number in", context);
  return result;
}

char location(const std::string& word, std::string_view among, std::string_view context) {
  if (word.size() != 1 || among.find(word[0]) == std::string_view::npos) {
    reject(fmt::format("location must be one of {} in", among), context);
  }
  return word[0];
}

struct Form {
  std::string_view verb;
  Kind kind;
  std::size_t words;
};
constexpr std::array<Form, 13> forms{{
    {"load", Kind::load, 3},
    {"store", Kind::store, 4},
    {"xchg", Kind::exchange, 4},
    {"add", Kind::fetch_add, 4},
    {"cas", Kind::compare_exchange, 5},
    {"fence", Kind::fence, 2},
    {"await", Kind::await_equal, 5},
    {"await", Kind::await_not_equal, 5},
    {"assume", Kind::assume_equal, 5},
    {"lock", Kind::lock, 2},
    {"unlock", Kind::unlock, 2},
    {"read", Kind::cell_read, 2},
    {"write", Kind::cell_write, 2},
}};

Operation parse_operation(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) reject("empty operation in", text);
  const auto* const form =
      std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return f.verb == words[0]; });
  if (form == forms.end()) reject("unknown operation", text);
  if (words.size() != form->words) reject("wrong number of words in", text);
  Operation result{.kind = form->kind};
  switch (form->kind) {
    case Kind::fence:
      result.order = parse_order(words[1]);
      return result;
    case Kind::lock:
    case Kind::unlock:
      result.location = location(words[1], mutex_locations, text);
      result.order =
          form->kind == Kind::lock ? std::memory_order_acquire : std::memory_order_release;
      result.value = form->kind == Kind::lock ? 1 : 0;
      return result;
    case Kind::cell_read:
    case Kind::cell_write:
      result.location = location(words[1], cell_locations, text);
      result.order = std::memory_order_relaxed;
      return result;
    default:
      break;
  }
  result.location = location(words[1], integer_locations, text);
  result.order = parse_order(words.back());
  if (form->kind == Kind::await_equal || form->kind == Kind::assume_equal) {
    const bool negatable = form->kind == Kind::await_equal;
    if (words[2] != "==" && !(negatable && words[2] == "!=")) reject("unexpected test in", text);
    if (words[2] == "!=") result.kind = Kind::await_not_equal;
    result.value = number(words[3], text);
  } else if (form->kind == Kind::compare_exchange) {
    result.expected = number(words[2], text);
    result.value = number(words[3], text);
  } else if (form->kind != Kind::load) {
    result.value = number(words[2], text);
  }
  return result;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

}  // namespace

bool reads(Kind kind) noexcept {
  return kind != Kind::store && kind != Kind::fence && kind != Kind::unlock && !is_cell(kind);
}

bool may_write(Kind kind) noexcept {
  return kind == Kind::store || kind == Kind::exchange || kind == Kind::fetch_add ||
         kind == Kind::compare_exchange || kind == Kind::lock || kind == Kind::unlock;
}

bool waits(Kind kind) noexcept {
  return kind == Kind::await_equal || kind == Kind::await_not_equal || kind == Kind::lock;
}

bool is_cell(Kind kind) noexcept { return kind == Kind::cell_read || kind == Kind::cell_write; }

bool returns_value(Kind kind) noexcept { return reads(kind) && kind != Kind::lock; }

std::size_t operation_count(const Program& program) noexcept {
  std::size_t count = 0;
  for (const Thread& thread : program.threads) count += thread.size();
  return count;
}

bool has(const Program& program, bool (*property)(Kind)) noexcept {
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
    return std::any_of(thread.begin(), thread.end(),
                       [&](const Operation& operation) { return property(operation.kind); });
  });
}

std::string used_locations(const Program& program, std::string_view among) {
  std::string used;
  for (const char candidate : among) {
    for (const Thread& thread : program.threads) {
      const bool found = std::any_of(thread.begin(), thread.end(),
                                     [&](const Operation& o) { return o.location == candidate; });
      if (found && used.find(candidate) == std::string::npos) used += candidate;
    }
  }
  return used;
}

std::string to_text(const Operation& operation) {
  const char where = operation.location;
  const std::string_view order = to_text(operation.order);
  switch (operation.kind) {
    case Kind::load:
      return fmt::format("load {} {}", where, order);
    case Kind::store:
      return fmt::format("store {} {} {}", where, operation.value, order);
    case Kind::exchange:
      return fmt::format("xchg {} {} {}", where, operation.value, order);
    case Kind::fetch_add:
      return fmt::format("add {} {} {}", where, operation.value, order);
    case Kind::compare_exchange:
      return fmt::format("cas {} {} {} {}", where, operation.expected, operation.value, order);
    case Kind::fence:
      return fmt::format("fence {}", order);
    case Kind::await_equal:
      return fmt::format("await {} == {} {}", where, operation.value, order);
    case Kind::assume_equal:
      return fmt::format("assume {} == {} {}", where, operation.value, order);
    case Kind::await_not_equal:
      return fmt::format("await {} != {} {}", where, operation.value, order);
    case Kind::lock:
      return fmt::format("lock {}", where);
    case Kind::unlock:
      return fmt::format("unlock {}", where);
    case Kind::cell_read:
      return fmt::format("read {}", where);
    case Kind::cell_write:
      return fmt::format("write {}", where);
  }
  return {};
}

std::string to_text(const Program& program) {
  std::string text;
  for (const Thread& thread : program.threads) {
    if (&thread != &program.threads.front()) text += " || ";
    for (const Operation& operation : thread) {
      if (&operation != &thread.front()) text += "; ";
      text += to_text(operation);
    }
  }
  return text;
}

Program parse_program(std::string_view text) {
  Program program;
  for (const std::string_view thread_text : split(text, "||")) {
    Thread& thread = program.threads.emplace_back();
    for (const std::string_view operation : split(thread_text, ";")) {
      // A trailing semicolon is tolerated, so that a table may leave out an optional fence.
      if (!words_of(operation).empty()) thread.push_back(parse_operation(operation));
    }
  }
  return program;
}

std::string_view to_text(std::memory_order order) noexcept {
  for (const auto& [name, value] : order_names) {
    if (value == order) return name;
  }
  return "consume";
}

std::memory_order parse_order(std::string_view text) {
  for (const auto& [name, value] : order_names) {
    if (name == text) return value;
  }
  reject("unknown memory order", text);
}

std::string_view to_text(Model model) noexcept { return model == Model::sc ? "sc" : "rc11"; }

std::string outcome_text(const std::vector<std::vector<std::int64_t>>& results,
                         const std::map<char, std::int64_t>& finals) {
  std::string text;
  for (std::size_t t = 0; t < results.size(); ++t) {
    if (t > 0) text += '|';
    text += fmt::format("{}", fmt::join(results[t], ","));
  }
  char separator = ';';
  for (const char where : integer_locations) {
    const auto found = finals.find(where);
    text += fmt::format("{}{}", separator, found == finals.end() ? 0 : found->second);
    separator = ',';
  }
  return text;
}

std::string difference(const Behaviour& expected, const Behaviour& actual) {
  constexpr int shown_max = 5;
  std::string text;
  if (expected.executions != actual.executions) {
    text +=
        fmt::format("  executions: expected {}, got {}\n", expected.executions, actual.executions);
  }
  int shown = 0;
  for (const auto& [outcome, count] : expected.outcomes) {
    const auto found = actual.outcomes.find(outcome);
    const std::uint64_t got = found == actual.outcomes.end() ? 0 : found->second;
    if (got != count && ++shown <= shown_max) {
      text += fmt::format("  outcome {}: expected {} times, got {}\n", outcome, count, got);
    }
  }
  for (const auto& [outcome, count] : actual.outcomes) {
    if (!expected.outcomes.contains(outcome) && ++shown <= shown_max) {
      text += fmt::format("  outcome {}: not expected, got {}\n", outcome, count);
    }
  }
  if (shown > shown_max) text += fmt::format("  and {} outcomes more\n", shown - shown_max);
  if (expected.deadlock != actual.deadlock) {
    text += fmt::format("  deadlock: expected {}, got {}\n", expected.deadlock, actual.deadlock);
  }
  if (expected.race != actual.race) {
    text += fmt::format("  race: expected {}, got {}\n", expected.race, actual.race);
  }
  return text;
}

}  // namespace heddle::litmus
