// The page as a document: complete, on its own, and harmless whatever a trace contains.
#include <heddle/sim/report/html_page.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/report/page_parts.hpp>
#include <heddle/sim/trace/store.hpp>

#include "../support/any_trace.hpp"
#include "../support/page_data.hpp"
#include "../support/sample_traces.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::report {
namespace {

using nlohmann::json;
using support::count;
using support::data_of;

std::string page_of(const Trace& trace) {
  Sources none;
  return html_page(trace, none);
}

TEST(html_page, holds_the_trace_and_its_analysis) {
  const json data = data_of(page_of(support::message_passing().trace()));
  EXPECT_EQ(data["scenario"], "message_passing");
  EXPECT_EQ(data["threads"].size(), 3U);
  EXPECT_EQ(data["steps"].size(), 6U);
  EXPECT_EQ(data["steps"][4]["source"], 3);
  EXPECT_EQ(data["steps"][5]["stale"], true);
  EXPECT_EQ(data["locations"][0]["initial"], "0");
  ASSERT_EQ(data["stale"].size(), 1U);
  EXPECT_EQ(data["stale"][0]["missed"], 2);
  EXPECT_EQ(data["stale"][0]["tso"]["possible"], false);
  EXPECT_FALSE(data.contains("decisive"));
  EXPECT_FALSE(data["files"][0]["found"].get<bool>());
}

TEST(html_page, shows_the_decisive_step_when_it_is_known) {
  Sources none;
  const json data = data_of(html_page(support::message_passing().trace(), none,
                                      {.decisive = "the load of step 5 must come last"}));
  EXPECT_EQ(data["decisive"], "the load of step 5 must come last");
}

TEST(html_page, folds_loops) {
  const json data = data_of(page_of(support::spinning().trace()));
  EXPECT_GT(data["steps"].size(), 400U);
  EXPECT_LT(data["rows"].size(), 20U);
}

TEST(html_page, has_the_source_around_each_step) {
  const support::ScratchFolder folder;
  std::string text;
  for (int line = 1; line <= 40; ++line) text += "line " + std::to_string(line) + " </script>\n";
  folder.write("mp.cpp", text);
  Sources sources({folder.path()});
  const std::string page = html_page(support::message_passing().trace(), sources);
  const json file = data_of(page)["files"][0];
  EXPECT_EQ(file["found"], true);
  EXPECT_EQ(file["lines"][0], (json{5, "line 5 </script>"}));
  EXPECT_EQ(count(page, "</script>"), 2U) << "what is in a source is text";
}

TEST(html_page, takes_whatever_a_trace_contains_as_text) {
  const std::string hostile = "</script><img src=x onerror=alert(1)><!-- @{script} & \"'";
  auto made = support::message_passing();
  Trace& trace = made.trace();
  trace.scenario = trace.message = trace.file = trace.memory_model = hostile;
  trace.conflict = {hostile};
  for (TraceStep& step : trace.steps) {
    step.location += hostile;
    step.role = step.text = step.file = step.function = step.order = hostile;
  }
  const std::string page = page_of(trace);
  EXPECT_EQ(count(page, "</script>"), 2U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "<!--"), 0U);
  const json data = data_of(page);
  EXPECT_EQ(data["message"], hostile);
  EXPECT_EQ(data["steps"][2]["function"], hostile);
}

TEST(html_page, needs_nothing_from_elsewhere) {
  const std::string page = page_of(support::everything().trace());
  EXPECT_EQ(count(page, "Content-Security-Policy"), 1U);
  EXPECT_EQ(count(page, "default-src 'none'"), 1U) << "the browser itself refuses every fetch";
  for (const char* fetch : {"<link", "<iframe", " src=", "@import", "url(http", "fetch(",
                            "XMLHttpRequest", "WebSocket", "import(", "innerHTML", "eval("}) {
    EXPECT_EQ(count(page, fetch), 0U) << fetch;
  }
  // The one address is the name of SVG's elements.
  EXPECT_EQ(count(page, "http://") + count(page, "https://"),
            count(page, "http://www.w3.org/2000/svg"));
}

TEST(html_page, has_parts_that_are_edited_as_what_they_are) {
  const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/sim/report/html/";
  EXPECT_EQ(support::ScratchFolder::read(folder + "page.html"), page_html);
  EXPECT_EQ(support::ScratchFolder::read(folder + "page.css"), page_css);
  EXPECT_EQ(support::ScratchFolder::read(folder + "page.js"), page_js);
  EXPECT_EQ(count(page_js, "</script"), 0U);
}

TEST(html_page, is_there_for_every_recorded_trace_with_its_sources) {
  for (const auto& file : trace::find(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    const Trace trace = trace::read(file);
    Sources sources = Sources::around(file);
    const json data = data_of(html_page(trace, sources));
    EXPECT_EQ(data["steps"].size(), trace.steps.size()) << file;
    EXPECT_FALSE(data["rows"].empty()) << file;
    std::size_t found = 0;
    for (const json& one : data["files"]) found += one["found"].get<bool>() ? 1U : 0U;
    EXPECT_GT(found, 0U) << file;
    for (std::size_t at = 0; at < trace.steps.size(); ++at) {
      if (trace.steps[at].source >= 0) {
        EXPECT_EQ(data["steps"][at]["source"], trace.steps[at].source);
      }
    }
  }
}

TEST(html_page, marks_the_operations_of_a_failed_linearization) {
  const std::string file =
      std::string(HEDDLE_SOURCE_DIR) + "/traces/known_bad_batch_no_order.trace.json";
  const json data = data_of(page_of(trace::read(file)));
  EXPECT_EQ(data["title"], "Not linearizable");
  std::size_t conflict = 0;
  for (const json& one : data["operations"]) conflict += one.value("part", "") == "conflict";
  EXPECT_EQ(conflict, 2U);
}

TEST(html_page, refuses_a_trace_that_no_browser_could_show) {
  Trace trace = support::spinning().trace();
  trace.steps.resize(page_steps_max + 1);
  Sources none;
  EXPECT_THROW(html_page(trace, none), std::length_error);
}

RC_GTEST_PROP(html_page, draws_every_trace, ()) {
  const Trace trace = support::any_trace();
  const json data = data_of(page_of(trace));
  RC_ASSERT(data["steps"].size() == trace.steps.size());
}

}  // namespace
}  // namespace heddle::sim::report
