#include <heddle/sim/report/grid.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <heddle/sim/report/fold.hpp>
#include <heddle/sim/report/step_text.hpp>

namespace heddle::sim::report {
namespace {

constexpr std::size_t column_min = 18;  // below that, a column holds no step any more
constexpr std::size_t place_max = 28;
constexpr std::size_t place_min = 8;
constexpr std::string_view separator = " │ ";
constexpr std::size_t separator_width = 3;

std::vector<GridRow::Line> step_lines(const Trace& trace, std::size_t index) {
  const TraceStep& step = trace.steps[index];
  const StepText text = text_of(trace, index);
  const Style style = step.kind == TraceStep::Kind::blocked ? Style::red : Style::plain;
  std::vector<GridRow::Line> lines{{text.action, style}};
  for (const std::string& remark : text.remarks) {
    lines.push_back({"! " + remark, step.stale ? Style::yellow : Style::dim});
  }
  return lines;
}

GridRow row_of(const Trace& trace, const Row& row) {
  const TraceStep& step = trace.steps[row.step];
  if (row.rounds == 0) {
    return {fmt::format("{}", row.step), step.thread, step_lines(trace, row.step),
            short_place(step.file, step.line)};
  }
  const std::string which = row.first == row.last
                                ? fmt::format("step {}", row.first)
                                : fmt::format("steps {} to {}", row.first, row.last);
  return {
      "…",
      step.thread,
      {{fmt::format("{} again, {} (until step {})", which, counted(row.rounds, "time"), row.end),
        Style::dim}},
      ""};
}

GridRow row_of_unneeded(const Trace& trace, std::size_t first, std::size_t count) {
  return {
      "…",
      trace.steps[first].thread,
      {{fmt::format("{} that the failure does not depend on", counted(count, "step")), Style::dim}},
      ""};
}

// Widths of the parts of a line that all rows share.
struct Frame {
  std::size_t number = 4;  // "step"
  std::size_t place = 0;

  Frame(const std::vector<GridRow>& rows) {
    for (const GridRow& row : rows) {
      number = std::max(number, width_of(row.number));
      place = std::max(place, width_of(row.place));
    }
    place = std::min(place, place_max);
  }
};

// Column widths, or nothing when the threads do not fit beside each other. Columns that need less
// than their share leave it to the others.
std::optional<std::map<std::uint32_t, std::size_t>> column_widths(const std::vector<GridRow>& rows,
                                                                  std::size_t room) {
  std::map<std::uint32_t, std::size_t> wanted;
  for (const GridRow& row : rows) {
    std::size_t& width = wanted[row.thread];
    width = std::max(width, column_min);
    for (const auto& line : row.lines) width = std::max(width, width_of(line.text));
  }
  if (wanted.empty() || wanted.size() * (column_min + separator_width) > room + separator_width) {
    return std::nullopt;
  }
  room -= separator_width * (wanted.size() - 1);
  std::set<std::pair<std::size_t, std::uint32_t>> by_need;
  for (const auto& [thread, width] : wanted) by_need.insert({width, thread});
  std::size_t columns_left = wanted.size();
  for (const auto& [width, thread] : by_need) {
    const std::size_t share = room / columns_left;
    wanted[thread] = std::min(width, share);
    room -= wanted[thread];
    --columns_left;
  }
  return wanted;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<GridRow::Line> wrapped(const std::vector<GridRow::Line>& lines, std::size_t width) {
  std::vector<GridRow::Line> result;
  for (const auto& line : lines) {
    for (std::string& part : wrap(line.text, width, 2)) {
      result.push_back({std::move(part), line.style});
    }
  }
  return result;
}

std::vector<std::string> wide(const std::vector<GridRow>& rows, const Frame& frame,
                              const std::map<std::uint32_t, std::size_t>& widths,
                              const Painter& paint) {
  std::vector<std::string> lines;
  std::string head = pad_left("step", frame.number);
  std::string rule = std::string(frame.number, ' ');
  for (const auto& [thread, width] : widths) {
    head += std::string(separator) + pad(thread_name(thread), width);
    rule += " ┼ ";
    for (std::size_t at = 0; at < width; ++at) rule += "─";
  }
  lines.push_back(paint(Style::bold, trimmed(head)));
  lines.push_back(paint(Style::dim, rule));
  for (const GridRow& row : rows) {
    const auto parts = wrapped(row.lines, widths.at(row.thread));
    for (std::size_t at = 0; at < parts.size(); ++at) {
      std::string line = pad_left(at == 0 ? row.number : "", frame.number);
      for (const auto& [thread, width] : widths) {
        line += paint(Style::dim, separator);
        if (thread != row.thread) {
          line += std::string(width, ' ');
          continue;
        }
        // The padding stays outside of the colour, so that trailing spaces can go.
        line += paint(parts[at].style, parts[at].text);
        line += std::string(width - std::min(width, width_of(parts[at].text)), ' ');
      }
      if (at == 0 && !row.place.empty()) {
        line += "  " + paint(Style::dim, shorten(row.place, frame.place));
      }
      lines.push_back(trimmed(std::move(line)));
    }
  }
  return lines;
}

std::vector<std::string> narrow(const std::vector<GridRow>& rows, const Frame& frame,
                                std::size_t width, const Painter& paint) {
  std::size_t thread_width = 0;
  for (const GridRow& row : rows) {
    thread_width = std::max(thread_width, thread_name(row.thread).size());
  }
  const std::size_t head = frame.number + 2 + thread_width + 2;
  // The steps come first; places take what is left, or are left out where that is too little.
  const std::size_t left = width - std::min(width, head + column_min + 2);
  const std::size_t place = left < place_min ? 0 : std::min(frame.place, left);
  const std::size_t tail = place == 0 ? 0 : place + 2;
  const std::size_t room = std::max(width - std::min(width, head + tail), column_min);
  std::vector<std::string> lines;
  for (const GridRow& row : rows) {
    const auto parts = wrapped(row.lines, room);
    for (std::size_t at = 0; at < parts.size(); ++at) {
      std::string line =
          at > 0 ? std::string(head, ' ')
                 : pad_left(row.number, frame.number) + "  " +
                       paint(Style::bold, pad(thread_name(row.thread), thread_width)) + "  ";
      line += paint(parts[at].style, parts[at].text);
      if (at == 0 && place > 0 && !row.place.empty()) {
        line += std::string(room - std::min(room, width_of(parts[at].text)) + 2, ' ');
        line += paint(Style::dim, shorten(row.place, place));
      }
      lines.push_back(trimmed(std::move(line)));
    }
  }
  return lines;
}

}  // namespace

std::vector<GridRow> grid_rows(const Trace& trace, bool fold) {
  std::vector<GridRow> rows;
  std::size_t unneeded = 0;  // in a row, up to here
  std::size_t first = 0;
  for (const Row& row : fold ? fold_loops(trace) : all_steps(trace)) {
    if (fold && row.rounds == 0 && !trace.steps[row.step].needed) {
      if (unneeded++ == 0) first = row.step;
      continue;
    }
    if (unneeded > 0) rows.push_back(row_of_unneeded(trace, first, unneeded));
    unneeded = 0;
    rows.push_back(row_of(trace, row));
  }
  if (unneeded > 0) rows.push_back(row_of_unneeded(trace, first, unneeded));
  GridRow failure{"", trace.thread, {}, short_place(trace.file, trace.line)};
  failure.lines.push_back({fmt::format("✗ {}", to_string(trace.failure)), Style::red});
  rows.push_back(std::move(failure));
  return rows;
}

std::vector<std::string> lay_out(const std::vector<GridRow>& rows, std::size_t width,
                                 const Painter& paint) {
  const Frame frame(rows);
  const std::size_t fixed =
      frame.number + separator_width + (frame.place == 0 ? 0 : frame.place + 2);
  const auto widths = column_widths(rows, width - std::min(width, fixed));
  return widths ? wide(rows, frame, *widths, paint) : narrow(rows, frame, width, paint);
}

}  // namespace heddle::sim::report
