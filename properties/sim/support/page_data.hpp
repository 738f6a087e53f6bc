// What is inside of a page.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace heddle::sim::support {

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// The JSON that the page draws.
inline nlohmann::json data_of(std::string_view page) {
  constexpr std::string_view begin = "<script type=\"application/json\" id=\"trace\">";
  const std::size_t at = page.find(begin);
  if (at == std::string_view::npos) throw std::runtime_error("the page has no trace");
  page.remove_prefix(at + begin.size());
  return nlohmann::json::parse(page.substr(0, page.find("</script>")));
}

}  // namespace heddle::sim::support
