#include <heddle/sim/trace/fields.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::trace {

std::string_view type_name(const nlohmann::json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number_float()) return "a number with a fraction, or one that is too large";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "text";
  return value.is_array() ? "a list" : "an object";
}

Fields::Fields(const nlohmann::json& object, std::string place, const Complaint& complain)
    : object_(object), place_(std::move(place)), complain_(complain) {
  if (!object_.is_object()) {
    complain_(place_, fmt::format("must be an object, but is {}", type_name(object_)));
  }
}

std::string Fields::place_of(std::string_view name) const {
  return place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name);
}

void Fields::fail(std::string_view name, const std::string& problem) const {
  complain_(place_of(name), problem);
  throw std::logic_error("a complaint about a field must throw");
}

bool Fields::has(std::string_view name) const { return object_.contains(name); }

const nlohmann::json& Fields::take(std::string_view name) {
  const auto found = object_.find(name);
  if (found == object_.end()) fail(name, "is missing");
  taken_.emplace_back(name);
  return *found;
}

std::string Fields::text(std::string_view name) {
  const auto& value = take(name);
  if (!value.is_string()) fail(name, fmt::format("must be text, but is {}", type_name(value)));
  return value.get<std::string>();
}

std::string Fields::text_or_empty(std::string_view name) {
  return has(name) ? text(name) : std::string();
}

bool Fields::flag_or(std::string_view name, bool otherwise) {
  if (!has(name)) return otherwise;
  const auto& value = take(name);
  if (!value.is_boolean()) {
    fail(name, fmt::format("must be true or false, but is {}", type_name(value)));
  }
  return value.get<bool>();
}

std::uint64_t Fields::number(std::string_view name, std::uint64_t max) {
  const auto& value = take(name);
  if (!value.is_number_integer()) {
    fail(name, fmt::format("must be a whole number, but is {}", type_name(value)));
  }
  const bool negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (negative || value.get<std::uint64_t>() > max) {
    fail(name, fmt::format("{} is not between 0 and {}", value.dump(), max));
  }
  return value.get<std::uint64_t>();
}

std::uint64_t Fields::number_or(std::string_view name, std::uint64_t otherwise, std::uint64_t max) {
  return has(name) ? number(name, max) : otherwise;
}

std::uint32_t Fields::number32(std::string_view name) {
  return static_cast<std::uint32_t>(number(name, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t Fields::number32_or(std::string_view name, std::uint32_t otherwise) {
  return has(name) ? number32(name) : otherwise;
}

std::vector<std::string> Fields::texts_or_none(std::string_view name) {
  std::vector<std::string> texts;
  if (!has(name)) return texts;
  const auto& value = take(name);
  if (!value.is_array()) fail(name, fmt::format("must be a list, but is {}", type_name(value)));
  for (std::size_t index = 0; index < value.size(); ++index) {
    if (!value[index].is_string()) {
      fail(fmt::format("{}[{}]", name, index),
           fmt::format("must be text, but is {}", type_name(value[index])));
    }
    texts.push_back(value[index].get<std::string>());
  }
  return texts;
}

void Fields::finish() const {
  for (const auto& [name, value] : object_.items()) {
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end()) {
      fail(name, "is not a field of this format");
    }
  }
}

}  // namespace heddle::sim::trace
