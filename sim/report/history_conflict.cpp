#include <heddle/sim/report/history_conflict.hpp>

#include <charconv>
#include <optional>

namespace heddle::sim::report {
namespace {

struct Named {
  std::size_t number = 0;
  std::uint32_t thread = 0;
  std::string_view text;  // call and, mostly, the result
  bool is_context = false;
};

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view expected) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<Named> parse(std::string_view line) {
  Named named;
  if (!take(line, "#") || !take_number(line, named.number)) return std::nullopt;
  if (!take(line, "thread ") || !take_number(line, named.thread)) return std::nullopt;
  take(line, "");
  named.is_context = line.find("(context)") != std::string_view::npos;
  named.text = line.substr(0, line.find("  "));
  return named;
}

bool is_meant(const Named& named, const Operation& operation) {
  return operation.thread == named.thread && !operation.call.empty() &&
         named.text.starts_with(operation.call);
}

}  // namespace

std::vector<Part> parts_in_conflict(std::string_view message,
                                    const std::vector<Operation>& operations) {
  std::vector<Part> parts(operations.size(), Part::none);
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const auto named = parse(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (!named) continue;
    const Part part = named->is_context ? Part::context : Part::conflict;
    // Operations are mostly numbered in the order of their calls.
    if (named->number < operations.size() && is_meant(*named, operations[named->number])) {
      parts[named->number] = part;
      continue;
    }
    for (std::size_t at = 0; at < operations.size(); ++at) {
      if (parts[at] != Part::none || !is_meant(*named, operations[at])) continue;
      parts[at] = part;
      break;
    }
  }
  return parts;
}

}  // namespace heddle::sim::report
