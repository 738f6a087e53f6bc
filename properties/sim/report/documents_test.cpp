// JSON, JUnit XML and SARIF: approved texts, and the rules that their readers rely on.
#include <heddle/sim/report/documents.hpp>

#include <functional>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <nlohmann/json.hpp>

#include <heddle/sim/report/report_value.hpp>
#include <heddle/sim/trace/json_value.hpp>

#include "../support/any_trace.hpp"
#include "../support/approval.hpp"
#include "../support/check_results.hpp"

namespace heddle::sim::report {
namespace {

using nlohmann::json;
using support::every_result;
using support::every_run;

boost::property_tree::ptree parse_xml(const std::string& text) {
  std::istringstream in(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree;
}

TEST(json_document, holds_everything) {
  support::expect_approved("report.json", json_document(every_run(), every_result()));
}

TEST(json_document, gives_back_the_reports) {
  const auto all = every_result();
  const json document = json::parse(json_document(every_run(), all));
  EXPECT_EQ(document.at("exit_code"), 3);
  ASSERT_EQ(document.at("scenarios").size(), all.size());
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Report& wanted = all[at].report;
    const Report found = report_from_value(document["scenarios"][at].at("report"));
    EXPECT_EQ(found.verdict, wanted.verdict);
    EXPECT_EQ(found.executions, wanted.executions);
    EXPECT_EQ(found.blocked, wanted.blocked);
    EXPECT_EQ(found.failures, wanted.failures);
    EXPECT_EQ(found.outcomes, wanted.outcomes);
    EXPECT_EQ(found.bound, wanted.bound);
    ASSERT_EQ(found.failure.has_value(), wanted.failure.has_value());
    if (!wanted.failure) continue;
    EXPECT_EQ(found.failure->kind, wanted.failure->kind);
    EXPECT_EQ(found.failure->message, wanted.failure->message);
    EXPECT_EQ(found.failure->trace, wanted.failure->trace);
  }
}

TEST(junit_document, is_what_was_approved) {
  support::expect_approved("report.junit.xml", junit_document(every_run(), every_result()));
}

TEST(junit_document, escapes_what_has_a_meaning_in_xml) {
  const std::vector<CheckResult> one = {
      support::result_of("x", "a < b && c > \"d\"", Verdict::verified, 1)};
  const std::string text = junit_document(every_run(), one);
  EXPECT_NE(text.find("a &lt; b &amp;&amp; c &gt; &quot;d&quot;"), std::string::npos) << text;
}

TEST(junit_document, is_xml_whose_counts_are_right) {
  const auto tree = parse_xml(junit_document(every_run(), every_result()));
  const auto& root = tree.get_child("testsuites");
  int tests = 0;
  int failures = 0;
  int errors = 0;
  for (const auto& [tag, suite] : root) {
    if (tag != "testsuite") continue;
    for (const auto& [inner, one] : suite) {
      if (inner != "testcase") continue;
      ++tests;
      failures += static_cast<int>(one.count("failure"));
      errors += static_cast<int>(one.count("error"));
      EXPECT_FALSE(one.get<std::string>("<xmlattr>.name").empty());
    }
  }
  EXPECT_EQ(tests, root.get<int>("<xmlattr>.tests"));
  EXPECT_EQ(failures, root.get<int>("<xmlattr>.failures"));
  EXPECT_EQ(errors, root.get<int>("<xmlattr>.errors"));
  EXPECT_EQ(tests, 12);
  EXPECT_EQ(failures, 6);
  EXPECT_EQ(errors, 2);
}

TEST(sarif_document, is_what_was_approved) {
  support::expect_approved("report.sarif", sarif_document(every_run(), every_result()));
}

// What the schema of SARIF 2.1.0 requires of the properties that we write, and GitHub beyond it.
void expect_valid_location(const json& location) {
  if (location.contains("physicalLocation")) {
    const json& physical = location["physicalLocation"];
    const std::string uri = physical.at("artifactLocation").at("uri");
    EXPECT_EQ(uri.find_first_of(" \\<>\""), std::string::npos) << uri;
    EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
  }
  if (location.contains("message")) {
    EXPECT_TRUE(location["message"].at("text").is_string());
  }
}

void expect_valid_flow(const json& flow) {
  ASSERT_FALSE(flow.at("threadFlows").empty());
  for (const json& thread : flow["threadFlows"]) {
    ASSERT_FALSE(thread.at("locations").empty());
    int last = 0;
    for (const json& step : thread["locations"]) {
      expect_valid_location(step.at("location"));
      const int order = step.at("executionOrder");
      EXPECT_GT(order, last);
      last = order;
      const std::set<std::string> importance = {"important", "essential", "unimportant"};
      EXPECT_TRUE(importance.contains(step.at("importance").get<std::string>()));
    }
  }
}

TEST(sarif_document, has_what_readers_need) {
  const json document = json::parse(sarif_document(every_run(), every_result()));
  EXPECT_EQ(document.at("version"), "2.1.0");
  ASSERT_EQ(document.at("runs").size(), 1U);
  const json& run = document["runs"][0];
  EXPECT_EQ(run.at("tool").at("driver").at("name"), "heddle");
  std::set<std::string> rules;
  for (const json& rule : run["tool"]["driver"].at("rules")) {
    EXPECT_TRUE(rules.insert(rule.at("id").get<std::string>()).second) << "a rule twice";
  }
  EXPECT_EQ(run.at("results").size(), 8U) << "one for everything that is not fine";
  for (const json& result : run["results"]) {
    EXPECT_TRUE(rules.contains(result.at("ruleId").get<std::string>()));
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    ASSERT_EQ(result.at("locations").size(), 1U);
    expect_valid_location(result["locations"][0]);
    EXPECT_TRUE(result["locations"][0].contains("physicalLocation"));
    if (!result.contains("codeFlows")) continue;
    for (const json& flow : result["codeFlows"]) expect_valid_flow(flow);
  }
}

TEST(sarif_document, without_findings_has_an_empty_list) {
  const std::vector<CheckResult> fine = {support::result_of("x", "y", Verdict::verified, 1)};
  const json document = json::parse(sarif_document(every_run(), fine));
  EXPECT_TRUE(document["runs"][0]["results"].is_array());
  EXPECT_TRUE(document["runs"][0]["results"].empty());
}

RC_GTEST_PROP(documents, can_be_read_whatever_a_trace_holds, ()) {
  CheckResult result = support::failing(
      support::result_of(support::any_name(), support::any_name(), {}, 1), support::any_trace());
  result.file = support::any_name();
  result.group = support::any_name();
  const std::vector<CheckResult> all = {result};
  RC_ASSERT(json::parse(json_document(every_run(), all)).is_object());
  RC_ASSERT(json::parse(sarif_document(every_run(), all)).is_object());
  RC_ASSERT(parse_xml(junit_document(every_run(), all)).count("testsuites") == 1U);
}

}  // namespace
}  // namespace heddle::sim::report
