// Traces at random, most of them breaking the rules of traces: a reporter has to draw them all the
// same.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <rapidcheck.h>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::support {

inline std::string any_name() {
  return *rc::gen::element<std::string>("", "T0.1", "T0.2", "T1.1", "x", "\xff\xc3", "ä\n\x1b[1m",
                                        std::string(300, 'w'), "two words and more of them");
}

inline TraceStep any_step(std::int64_t steps) {
  TraceStep step;
  step.kind = static_cast<TraceStep::Kind>(*rc::gen::inRange<int>(0, 15));
  step.thread = *rc::gen::weightedOneOf<std::uint32_t>(
      {{8, rc::gen::inRange<std::uint32_t>(0, 4)}, {1, rc::gen::arbitrary<std::uint32_t>()}});
  step.order = *rc::gen::element<std::string>("", "relaxed", "seq_cst", "no order");
  step.location = any_name();
  step.role = *rc::gen::element<std::string>("", "atomic", "mutex", "park");
  if (*rc::gen::arbitrary<bool>()) step.read = *rc::gen::element<std::string>("0x1", "", "0xfff");
  if (*rc::gen::arbitrary<bool>()) step.written = *rc::gen::element<std::string>("0x1", "junk");
  step.source = *rc::gen::inRange<std::int64_t>(-3, steps + 3);
  step.co_position = *rc::gen::inRange<std::uint32_t>(0, 3);
  step.stale = *rc::gen::arbitrary<bool>();
  step.choice = *rc::gen::inRange<std::uint32_t>(0, 5);
  step.choices = *rc::gen::inRange<std::uint32_t>(0, 5);
  step.other_thread = *rc::gen::inRange<std::uint32_t>(0, 5);
  step.file = any_name();
  step.line = *rc::gen::element<std::uint32_t>(0, 7, std::numeric_limits<std::uint32_t>::max());
  step.text = any_name();
  return step;
}

inline Trace any_trace() {
  Trace trace;
  trace.scenario = any_name();
  trace.memory_model = any_name();
  trace.failure = static_cast<FailureKind>(*rc::gen::inRange<int>(0, 12));
  trace.message = any_name();
  trace.file = any_name();
  trace.thread = *rc::gen::inRange<std::uint32_t>(0, 9);
  const auto steps = *rc::gen::inRange<std::int64_t>(0, 30);
  for (std::int64_t index = 0; index < steps; ++index) trace.steps.push_back(any_step(steps));
  if (*rc::gen::arbitrary<bool>()) trace.conflict = {any_name(), any_name()};
  if (*rc::gen::arbitrary<bool>()) {
    trace.weakened = {{"rmw", any_name(), 3, 7, "acq_rel", "acquire", "release", "relaxed"},
                      {"fence", any_name(), 5, 0, "seq_cst", "", "relaxed", ""}};
  }
  if (*rc::gen::arbitrary<bool>()) trace.locations = {{any_name(), any_name(), any_name(), 3}};
  return trace;
}

}  // namespace heddle::sim::support
