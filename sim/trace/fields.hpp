// The fields of one JSON object, taken one by one with their types; what is left over is unknown.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::sim::trace {

class Fields {
 public:
  /// Called with the place and the problem; throws.
  using Complaint = std::function<void(const std::string& place, const std::string& problem)>;

  /// `place` is the object's own: empty for the document, "steps[3]" for a step.
  Fields(const nlohmann::json& object, std::string place, const Complaint& complain);

  bool has(std::string_view name) const;
  /// The field's value; complains when there is none.
  const nlohmann::json& take(std::string_view name);

  std::string text(std::string_view name);
  std::string text_or_empty(std::string_view name);
  bool flag_or(std::string_view name, bool otherwise);
  std::uint64_t number(std::string_view name, std::uint64_t max);
  std::uint64_t number_or(std::string_view name, std::uint64_t otherwise, std::uint64_t max);
  std::uint32_t number32(std::string_view name);
  std::uint32_t number32_or(std::string_view name, std::uint32_t otherwise);
  std::vector<std::string> texts_or_none(std::string_view name);

  /// Complains about the first field that nobody took.
  void finish() const;

  std::string place_of(std::string_view name) const;

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& problem) const;

  const nlohmann::json& object_;
  std::string place_;
  const Complaint& complain_;
  std::vector<std::string> taken_;
};

/// "a number", "an object": what a value is, for messages.
std::string_view type_name(const nlohmann::json& value);

}  // namespace heddle::sim::trace
