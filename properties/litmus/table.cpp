#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace heddle::litmus {

namespace {

std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (separators.find(c) != std::string::npos) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

bool fits(const std::string& outcome, const std::string& pattern) {
  const bool with_finals = pattern.find(';') != std::string::npos;
  const std::vector<std::string> values =
      split(with_finals ? outcome : outcome.substr(0, outcome.find(';')), ",|;");
  const std::vector<std::string> wanted = split(pattern, ",|;");
  if (values.size() != wanted.size()) {
    throw std::invalid_argument(
        fmt::format("litmus table: pattern '{}' does not fit outcome '{}'", pattern, outcome));
  }
  return std::equal(values.begin(), values.end(), wanted.begin(),
                    [](const std::string& value, const std::string& want) {
                      return want == "*" || value == want;
                    });
}

}  // namespace

Program instantiate(const Shape& shape, const Row& row) {
  std::string text = shape.text;
  const std::vector<std::string> orders = split(row.orders, ",");
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::string place = fmt::format("${}", i + 1);
    const std::string order = trimmed(orders[i]);
    std::size_t at = text.find(place);
    if (at == std::string::npos) {
      throw std::invalid_argument(
          fmt::format("litmus table: {} has no {} ({})", shape.name, place, row.orders));
    }
    for (; at != std::string::npos; at = text.find(place)) {
      text.replace(at, place.size(), order == "-" ? "" : order);
    }
  }
  Program program = parse_program(text);  // refuses a place that is left over
  program.name = fmt::format("{} [{}]", shape.name, row.orders);
  return program;
}

bool reaches(const Behaviour& behaviour, const std::string& pattern) {
  return std::any_of(behaviour.outcomes.begin(), behaviour.outcomes.end(),
                     [&](const auto& entry) { return fits(entry.first, pattern); });
}

}  // namespace heddle::litmus
