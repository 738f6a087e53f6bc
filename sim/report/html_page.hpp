// A trace as one HTML page that needs nothing else: a column per thread, time downwards, arrows
// for reads-from and synchronises-with, a stepper, memory and source at each step, and why a stale
// read is allowed.
//
// The analysis is done here; the page gets the result as JSON and only draws it. Its parts are
// html/page.{html,css,js}, which the build compiles in.
#pragma once

#include <cstddef>
#include <string>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/sources.hpp>

namespace heddle::sim::report {

struct PageOptions {
  std::string decisive;  ///< the decisive step in a sentence; empty: not known
};

/// A browser does not lay out more in a reasonable time; chrome_trace() is for longer ones.
inline constexpr std::size_t page_steps_max = 20'000;

/// The whole page. Never throws for the content of a trace: also one that breaks the rules of
/// traces is drawn, and whatever it contains is shown as text. Errors: std::length_error for a
/// trace of more than page_steps_max steps.
std::string html_page(const Trace& trace, Sources& sources, const PageOptions& options = {});

}  // namespace heddle::sim::report
