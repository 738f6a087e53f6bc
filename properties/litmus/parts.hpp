// What the tests of parallel, resumed and sharded explorations share: reports as text, so that a
// difference can be read, and files that go with their test.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <heddle/sim.hpp>
#include <heddle/sim/explore/exploration.hpp>

#include "../sim/support/scratch_folder.hpp"

namespace heddle::litmus {

/// Everything in a report that must not depend on how the work was done.
inline std::string text_of(const sim::Report& report) {
  std::string text = fmt::format("{}: {} executions, {} blocked, {} failing; bound '{}'\n",
                                 sim::to_string(report.verdict), report.executions, report.blocked,
                                 report.failures, report.bound);
  for (const auto& [outcome, count] : report.outcomes) {
    for (const auto& [name, value] : outcome) text += fmt::format("{}={} ", name, value);
    text += fmt::format("x{}\n", count);
  }
  if (!report.failure) return text;
  const sim::Trace& trace = report.failure->trace;
  text += fmt::format("{}: {} (execution {}, thread {})\n", sim::to_string(report.failure->kind),
                      report.failure->message, trace.execution, trace.thread);
  for (const sim::TraceStep& step : trace.steps) {
    text += fmt::format("{} {} {} {} {} {}:{} {} co {}\n", step.thread, sim::to_string(step.kind),
                        step.location, step.order, step.text, step.file, step.line, step.source,
                        step.co_position);
  }
  return text;
}

/// With a crew from the first execution on, however small the program.
inline sim::Report explore_at_once(const sim::Options& options, const std::function<void()>& body) {
  sim::engine::Exhaustive search(options, body);
  return sim::engine::Exploration(options, body, search, std::chrono::nanoseconds(0)).explore();
}

using sim::support::ScratchFolder;

/// Fails in some executions, not in the first.
inline void sometimes_fails() {
  sim::atomic<int> x{0};
  sim::atomic<int> y{0};
  sim::thread a([&] {
    x.store(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  sim::thread b([&] {
    x.fetch_add(2, std::memory_order_relaxed);
    y.fetch_add(1, std::memory_order_relaxed);
  });
  sim::thread c([&] {
    const int first = y.load(std::memory_order_relaxed);
    const int second = x.load(std::memory_order_relaxed);
    sim::check(first != 2 || second != 1, "an update has been overtaken");
  });
  a.join();
  b.join();
  c.join();
}

}  // namespace heddle::litmus
