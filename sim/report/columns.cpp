#include <heddle/sim/report/columns.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/report/grid.hpp>
#include <heddle/sim/report/history.hpp>
#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/report/waits.hpp>

namespace heddle::sim::report {
namespace {

constexpr std::size_t width_min = 40;

class View {
 public:
  View(const Trace& trace, const ViewOptions& options)
      : trace_(trace),
        options_(options),
        width_(std::max(options.width, width_min)),
        paint_(options.colour) {}

  std::string draw() {
    head();
    steps();
    conflict();
    waiting();
    history();
    locations();
    legend();
    return std::move(text_);
  }

 private:
  void line(std::string_view text = {}, Style style = Style::plain) {
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    text_ += paint_(style, text);
    text_ += '\n';
  }
  void paragraph(std::string_view text, Style style, std::size_t first_indent, std::size_t indent) {
    const std::string padded = std::string(first_indent, ' ') + clean(text);
    for (const std::string& part : wrap(padded, width_, indent)) line(part, style);
  }
  void title(std::string_view text) {
    line();
    line(text, Style::bold);
  }

  void head() {
    const std::string scenario = trace_.scenario.empty() ? "a body without name" : trace_.scenario;
    paragraph(fmt::format("{} in {}", to_string(trace_.failure), scenario), Style::red, 0, 2);
    // A message may have lines of its own.
    std::string_view rest = trace_.message;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      paragraph(rest.substr(0, end), Style::bold, 2, 4);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::string where = place(trace_.file, trace_.line);
    paragraph(
        fmt::format("{}in {}, execution {} under {}{}",
                    where.empty() ? "" : fmt::format("at {}, ", where), thread_name(trace_.thread),
                    grouped(trace_.execution), trace_.memory_model,
                    trace_.timeouts ? "" : ", where no timed wait ends by time"),
        Style::dim, 2, 4);
    if (!trace_.decisive.empty()) {
      paragraph(fmt::format("decisive: {}", trace_.decisive), Style::yellow, 2, 4);
    }
  }

  void steps() {
    line();
    if (trace_.steps.empty()) {
      paragraph("The execution failed before its first step.", Style::plain, 0, 2);
      return;
    }
    for (const std::string& row : lay_out(grid_rows(trace_, options_.fold), width_, paint_)) {
      line(row);
    }
  }

  void conflict() {
    if (trace_.conflict.empty()) return;
    title(trace_.failure == FailureKind::data_race ? "The two accesses" : "Places");
    for (const std::string& place : trace_.conflict) paragraph(place, Style::plain, 2, 4);
  }

  void waiting() {
    // In the end of another failure threads may wait, too, and there is nothing wrong with that.
    const bool is_about_waiting =
        trace_.failure == FailureKind::deadlock || trace_.failure == FailureKind::livelock;
    const std::vector<Wait> all = is_about_waiting ? waits(trace_) : std::vector<Wait>();
    if (all.empty()) return;
    title("Still waiting at the end");
    for (const Wait& wait : all) {
      const TraceStep& step = trace_.steps[wait.step];
      const std::string where = short_place(step.file, step.line);
      paragraph(fmt::format("{} {}{}", thread_name(wait.thread), wait.what,
                            where.empty() ? "" : fmt::format(", at {}", where)),
                Style::plain, 2, 4);
      if (!wait.who.empty()) paragraph(wait.who, Style::plain, 6, 8);
    }
    if (const std::string round = ring(all); !round.empty()) {
      paragraph(fmt::format("They wait for each other: {}", round), Style::bold, 2, 4);
    }
  }

  void history() {
    const auto lines = history_lines(trace_, width_ - 2);
    if (lines.empty()) return;
    title("Operations");
    for (const std::string& one : lines) line("  " + one);
  }

  void locations() {
    if (trace_.locations.empty()) return;
    title("Locations");
    for (const TraceLocation& location : trace_.locations) {
      const std::string where = place(location.file, location.line);
      paragraph(fmt::format("{}  {}{}", location.name, location.role,
                            where.empty() ? "" : fmt::format(" constructed at {}", where)),
                Style::plain, 2, 4);
    }
  }

  void legend() {
    const auto any = [&](auto property) {
      return std::any_of(trace_.steps.begin(), trace_.steps.end(), property);
    };
    std::vector<std::string> parts;
    if (any([](const TraceStep& step) { return step.source >= 0; })) {
      parts.emplace_back("← 7: the value was written by step 7");
    }
    if (any([](const TraceStep& step) { return step.source == TraceStep::initial; })) {
      parts.emplace_back("← init: the value it was built with");
    }
    if (any([](const TraceStep& step) { return step.stale; })) {
      parts.emplace_back(
          "stale: nothing orders the newer write before this read, so it may miss it");
    }
    if (trace_.locations.empty() &&
        any([](const TraceStep& step) { return !step.location.empty(); })) {
      parts.emplace_back("T0.3: the third location that T0 constructed");
    }
    if (parts.empty()) return;
    line();
    for (const std::string& part : parts) paragraph(part, Style::dim, 0, 2);
  }

  const Trace& trace_;
  ViewOptions options_;
  std::size_t width_;
  Painter paint_;
  std::string text_;
};

}  // namespace

std::string view(const Trace& trace, const ViewOptions& options) {
  return View(trace, options).draw();
}

}  // namespace heddle::sim::report
