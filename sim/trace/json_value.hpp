// Traces as values of the JSON library, for those who put one into a larger document.
#pragma once

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

/// The content without checksum.
nlohmann::ordered_json to_value(const Trace& trace);

/// The way back. `file` is the name in messages. Errors: TraceError.
Trace from_value(const nlohmann::json& document, const std::string& file);

/// `value` as text. Bytes that are not UTF-8 (a message may hold anything) become U+FFFD.
template <class Json>
std::string dump(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heddle::sim::trace
