// Chrome's trace events: what a viewer needs is there and fits together.
#include <heddle/sim/report/chrome_trace.hpp>

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/trace/store.hpp>

#include "../support/any_trace.hpp"
#include "../support/sample_traces.hpp"

namespace heddle::sim::report {
namespace {

using nlohmann::json;

struct Found {
  std::size_t slices = 0;
  std::size_t operations = 0;
  std::size_t flows = 0;
  std::set<std::string> tracks;
};

// The rules of the format: docs of the trace viewer. Complains about what breaks them.
Found read(const std::string& text) {
  Found found;
  const json document = json::parse(text);
  std::map<int, json> open;
  for (const json& event : document.at("traceEvents")) {
    const std::string phase = event.at("ph");
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("pid").is_number() && event.at("tid").is_number());
    if (phase == "M") {
      if (event["name"] == "thread_name") found.tracks.insert(event.at("args").at("name"));
      continue;
    }
    EXPECT_GE(event.at("ts").get<double>(), 0);
    if (phase == "X") {
      EXPECT_GT(event.at("dur").get<double>(), 0);
      ++(event.at("cat") == "operation" ? found.operations : found.slices);
    } else if (phase == "s") {
      EXPECT_TRUE(open.emplace(event.at("id"), event).second) << "an arrow begins once";
    } else {
      EXPECT_EQ(phase, "f");
      EXPECT_EQ(event.at("bp"), "e") << "ends in the slice around it";
      const auto begin = open.find(event.at("id"));
      if (begin == open.end()) {
        ADD_FAILURE() << "an arrow ends that did not begin";
        continue;
      }
      EXPECT_EQ(begin->second.at("name"), event.at("name"));
      EXPECT_LT(begin->second.at("ts").get<double>(), event.at("ts").get<double>());
      open.erase(begin);
      ++found.flows;
    }
  }
  EXPECT_TRUE(open.empty()) << "arrows without an end";
  return found;
}

TEST(chrome_trace, has_a_track_per_thread_a_slice_per_step_and_arrows) {
  const Found found = read(chrome_trace(support::message_passing().trace()));
  EXPECT_EQ(found.tracks, (std::set<std::string>{"T0", "T1", "T2"}));
  EXPECT_EQ(found.slices, 6U);
  EXPECT_EQ(found.flows, 1U) << "read from, and does not synchronise";

  auto released = support::message_passing();
  released.step(3).order = "release";
  EXPECT_EQ(read(chrome_trace(released.trace())).flows, 2U);
}

TEST(chrome_trace, has_the_operations) {
  const Found found = read(chrome_trace(support::lost_wakeup().trace()));
  EXPECT_EQ(found.operations, 2U);
}

TEST(chrome_trace, is_there_for_every_recorded_trace) {
  for (const auto& file : trace::find(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    const Trace trace = trace::read(file);
    EXPECT_EQ(read(chrome_trace(trace)).slices, trace.steps.size()) << file;
  }
}

RC_GTEST_PROP(chrome_trace, draws_every_trace, ()) {
  const Trace trace = support::any_trace();
  RC_ASSERT(read(chrome_trace(trace)).slices == trace.steps.size());
}

}  // namespace
}  // namespace heddle::sim::report
