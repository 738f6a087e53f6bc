// What a page shows, as JSON: all that html/page.js knows of a trace.
#pragma once

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/html_page.hpp>
#include <heddle/sim/report/sources.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::report {

/// Numbers of steps are indices of `steps`, those of threads, locations and files are indices of
/// `threads`, `locations` and `files`.
nlohmann::ordered_json page_value(const Trace& trace, Sources& sources, const PageOptions& options);

}  // namespace heddle::sim::report
