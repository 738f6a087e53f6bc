// Traces written by hand, for tests of what reads and draws them. Each call adds one step and
// returns its number; find_problem() must have nothing to say about the result.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::support {

class HandMadeTrace {
 public:
  using Kind = TraceStep::Kind;

  explicit HandMadeTrace(std::string scenario) {
    trace_.scenario = std::move(scenario);
    trace_.memory_model = "rc11";
    trace_.failure = FailureKind::check;
    trace_.execution = 11;
  }

  HandMadeTrace& fails(FailureKind kind, std::string message, std::string file, unsigned line,
                       unsigned thread) {
    trace_.failure = kind;
    trace_.message = std::move(message);
    trace_.file = std::move(file);
    trace_.line = line;
    trace_.thread = thread;
    return *this;
  }
  HandMadeTrace& conflict(std::string place) {
    trace_.conflict.push_back(std::move(place));
    return *this;
  }
  /// The following steps are at this file, their lines count on from here.
  HandMadeTrace& at(std::string file, unsigned line, std::string function = "") {
    file_ = std::move(file);
    line_ = line;
    function_ = std::move(function);
    return *this;
  }

  std::int64_t spawn(unsigned thread, unsigned child) {
    TraceStep& step = add(Kind::spawn, thread);
    step.other_thread = child;
    return last();
  }
  std::int64_t join(unsigned thread, unsigned child) {
    TraceStep& step = add(Kind::join, thread);
    step.other_thread = child;
    return last();
  }
  std::int64_t store(unsigned thread, std::string location, unsigned value, std::string order) {
    TraceStep& step = add(Kind::store, thread);
    write(step, std::move(location), value);
    step.order = std::move(order);
    return last();
  }
  std::int64_t load(unsigned thread, std::string location, std::int64_t source, std::string order,
                    bool stale = false) {
    TraceStep& step = add(Kind::load, thread);
    read(step, std::move(location), source);
    step.order = std::move(order);
    step.stale = stale;
    return last();
  }
  std::int64_t rmw(unsigned thread, std::string location, std::int64_t source, unsigned value,
                   std::string order) {
    TraceStep& step = add(Kind::rmw, thread);
    read(step, location, source);
    write(step, std::move(location), value);
    step.order = std::move(order);
    return last();
  }
  std::int64_t failed_rmw(unsigned thread, std::string location, std::int64_t source,
                          std::string order) {
    const std::int64_t index = load(thread, std::move(location), source, std::move(order));
    trace_.steps.back().kind = Kind::rmw;
    return index;
  }
  std::int64_t lock(unsigned thread, std::string location, std::int64_t source) {
    const std::int64_t index = rmw(thread, std::move(location), source, 1, "acquire");
    trace_.steps.back().kind = Kind::await_rmw;
    trace_.steps.back().role = "mutex";
    return index;
  }
  std::int64_t fence(unsigned thread, std::string order) {
    add(Kind::fence, thread).order = std::move(order);
    return last();
  }
  std::int64_t choose(unsigned thread, unsigned choice, unsigned choices, std::string text = "") {
    TraceStep& step = add(Kind::choose, thread);
    step.choice = choice;
    step.choices = choices;
    step.text = std::move(text);
    return last();
  }
  std::int64_t cell(unsigned thread, std::string location, bool writes) {
    add(writes ? Kind::cell_write : Kind::cell_read, thread).location = std::move(location);
    return last();
  }
  std::int64_t begin(unsigned thread, std::string text) {
    add(Kind::operation_begin, thread).text = std::move(text);
    return last();
  }
  std::int64_t end(unsigned thread, std::string text) {
    add(Kind::operation_end, thread).text = std::move(text);
    return last();
  }
  std::int64_t blocked(unsigned thread, std::string location, std::string role, std::string text) {
    TraceStep& step = add(Kind::blocked, thread);
    step.location = std::move(location);
    step.role = std::move(role);
    step.text = std::move(text);
    return last();
  }
  std::int64_t spin(unsigned thread) {
    add(Kind::spin, thread);
    return last();
  }
  /// For what the calls above do not reach.
  TraceStep& step(std::int64_t index) { return trace_.steps.at(static_cast<std::size_t>(index)); }

  const Trace& trace() const { return trace_; }
  Trace& trace() { return trace_; }

 private:
  TraceStep& add(Kind kind, unsigned thread) {
    TraceStep step;
    step.kind = kind;
    step.thread = thread;
    step.file = file_;
    step.line = line_;
    step.function = function_;
    if (line_ != 0) ++line_;
    trace_.steps.push_back(std::move(step));
    return trace_.steps.back();
  }
  std::int64_t last() const { return static_cast<std::int64_t>(trace_.steps.size()) - 1; }

  static std::string hex(unsigned value) { return fmt::format("{:#x}", value); }
  void write(TraceStep& step, std::string location, unsigned value) {
    step.role = "atomic";
    step.written = hex(value);
    step.co_position = ++written_[location];
    step.location = std::move(location);
  }
  // The initial value is 0 wherever these traces have one.
  void read(TraceStep& step, std::string location, std::int64_t source) {
    step.role = "atomic";
    step.location = std::move(location);
    step.source = source;
    step.read = source < 0 ? hex(0) : *this->step(source).written;
  }

  Trace trace_;
  std::map<std::string, std::uint32_t> written_;
  std::string file_;
  unsigned line_ = 0;
  std::string function_;
};

}  // namespace heddle::sim::support
