#include <heddle/sim/report/html_page.hpp>

#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include <heddle/sim/report/page_parts.hpp>
#include <heddle/sim/report/page_value.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

// JSON inside of a script element: nothing in it may look like markup.
std::string json_text(const nlohmann::ordered_json& value) {
  const std::string plain =
      value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char letter : plain) {
    switch (letter) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += letter;
    }
  }
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

}  // namespace

std::string html_page(const Trace& trace, Sources& sources, const PageOptions& options) {
  if (trace.steps.size() > page_steps_max) {
    throw std::length_error(
        fmt::format("a page can show {} steps, and this trace has {}; --perfetto can show it",
                    grouped(page_steps_max), grouped(trace.steps.size())));
  }
  const nlohmann::ordered_json value = page_value(trace, sources, options);
  const std::string title = escaped(fmt::format("{}: {}", value["scenario"].get<std::string>(),
                                                value["title"].get<std::string>()));
  const std::string data = json_text(value);
  // One pass over the template, so that nothing that is put in is looked at again.
  std::string page;
  std::string_view rest = page_html;
  while (!rest.empty()) {
    const std::size_t begin = rest.find("@{");
    page += rest.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = rest.find('}', begin);
    const std::string_view name = rest.substr(begin + 2, end - begin - 2);
    if (name == "title") page += title;
    if (name == "style") page += page_css;
    if (name == "data") page += data;
    if (name == "script") page += page_js;
    rest.remove_prefix(end + 1);
  }
  return page;
}

}  // namespace heddle::sim::report
