// The steps of a trace laid out: wide with a column per thread, or narrow with a line per step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {

/// What stands in one row of the view before it is laid out.
struct GridRow {
  struct Line {
    std::string text;
    Style style = Style::plain;
  };
  std::string number;  ///< of the step; empty for rows that are none
  std::uint32_t thread = 0;
  std::vector<Line> lines;
  std::string place;
};

std::vector<GridRow> grid_rows(const Trace& trace, bool fold);

/// The rows as lines. `width` at least 40.
std::vector<std::string> lay_out(const std::vector<GridRow>& rows, std::size_t width,
                                 const Painter& paint);

}  // namespace heddle::sim::report
