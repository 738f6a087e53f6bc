// Traces as JSON: the format of docs/trace-format.md.
#pragma once

#include <string>
#include <string_view>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/trace_error.hpp>

namespace heddle::sim::trace {

/// The whole file: head, checksum, and one line per step.
std::string write_json(const Trace& trace);

/// The trace in `text`; `file` is its name in messages.
/// Errors: TraceError for everything that write_json() would not have written.
Trace read_json(std::string_view text, const std::string& file);

}  // namespace heddle::sim::trace
