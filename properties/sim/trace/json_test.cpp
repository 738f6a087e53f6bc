// Reading traces: what was written comes back, everything else is refused with a message that says
// file, place, what is wrong and what to do.
#include <heddle/sim/trace/json.hpp>

#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/trace/validate.hpp>

#include "../support/sample_traces.hpp"

namespace heddle::sim {
namespace {

using nlohmann::json;
using support::all_samples;
using trace::read_json;
using trace::TraceError;
using trace::write_json;

// What reading `text` complains about; fails the test when it does not.
TraceError refusal(const std::string& text) {
  try {
    static_cast<void>(read_json(text, "some.trace.json"));
  } catch (const TraceError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 2000);
  return TraceError("", "", "", "");
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The text of message_passing() after a change of its content, without checksum.
std::string edited(const std::function<void(json&)>& change) {
  json document = json::parse(write_json(support::message_passing().trace()));
  document.erase("checksum");
  change(document);
  return document.dump();
}

TEST(trace_json, comes_back_as_it_was_written) {
  for (const Trace& sample : all_samples()) {
    ASSERT_EQ(trace::find_problem(sample), std::nullopt) << sample.scenario;
    EXPECT_EQ(read_json(write_json(sample), "x"), sample) << sample.scenario;
  }
}

TEST(trace_json, replaces_bytes_that_are_not_text_and_keeps_the_checksum_right) {
  const Trace sample = support::long_names().trace();
  const Trace found = read_json(write_json(sample), "x");
  EXPECT_EQ(write_json(found), write_json(sample));
  EXPECT_TRUE(mentions(found.steps[3].text, "\xef\xbf\xbd"));
}

TEST(trace_json, has_one_line_per_step) {
  const Trace sample = support::message_passing().trace();
  const std::string text = write_json(sample);
  const std::string line =
      R"json(    {"kind":"store","thread":1,"order":"relaxed","location":"T0.2",)json"
      R"json("role":"atomic","written":"0x1","co_position":1,"file":"mp.cpp",)json"
      R"json("line":21,"function":"writer()"},)json";
  EXPECT_TRUE(mentions(text, "\n" + line + "\n")) << text;
}

TEST(trace_json, may_be_laid_out_anew) {
  const Trace sample = support::everything().trace();
  EXPECT_EQ(read_json(json::parse(write_json(sample)).dump(4), "x"), sample);
}

TEST(trace_json, is_refused_when_cut_short_anywhere) {
  const std::string text = write_json(support::message_passing().trace());
  const std::size_t end = text.find_last_of('}');
  for (std::size_t length = 0; length <= end; ++length) {
    const TraceError error = refusal(text.substr(0, length));
    ASSERT_EQ(error.file(), "some.trace.json");
    ASSERT_TRUE(mentions(error.problem(), length == 0 ? "empty" : "cut short"))
        << length << ": " << error.what();
    ASSERT_TRUE(mentions(error.remedy(), "heddle check")) << error.what();
  }
}

TEST(trace_json, is_refused_when_any_byte_was_changed) {
  const Trace sample = support::race().trace();
  const std::string text = write_json(sample);
  std::size_t harmless = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    for (const char replacement : {'0', '7', 'x', ' ', '"', '}'}) {
      if (text[index] == replacement) continue;
      std::string changed = text;
      changed[index] = replacement;
      try {
        // Only the layout may change without notice.
        ASSERT_EQ(read_json(changed, "x"), sample) << index << " " << replacement;
        ASSERT_TRUE(std::isspace(static_cast<unsigned char>(text[index]))) << index;
        ++harmless;
      } catch (const TraceError& error) {
        ASSERT_FALSE(error.problem().empty());
        ASSERT_FALSE(error.remedy().empty());
      }
    }
  }
  EXPECT_GT(harmless, 0U);
}

TEST(trace_json, names_an_edit_and_how_to_insist_on_it) {
  std::string text = write_json(support::message_passing().trace());
  text.replace(text.find("the message is there"), 11, "the massage");
  const TraceError error = refusal(text);
  EXPECT_EQ(error.place(), "checksum");
  EXPECT_TRUE(mentions(error.problem(), "edited"));
  EXPECT_TRUE(mentions(error.remedy(), "delete the line \"checksum\"")) << error.remedy();

  const std::size_t line = text.find("  \"checksum\"");
  text.erase(line, text.find('\n', line) + 1 - line);
  EXPECT_TRUE(read_json(text, "x").message.starts_with("the massage"));
}

TEST(trace_json, says_of_a_wrong_field_that_the_file_was_changed) {
  std::string text = write_json(support::message_passing().trace());
  text.replace(text.find("\"store\""), 7, "\"stroe\"");
  const TraceError error = refusal(text);
  EXPECT_EQ(error.place(), "steps[2].kind");
  EXPECT_EQ(error.problem(), "'stroe' is not a kind of step; did you mean 'store'?");
  EXPECT_TRUE(mentions(error.remedy(), "was changed after it was recorded")) << error.remedy();
  EXPECT_TRUE(mentions(error.remedy(), "heddle check message_passing --record")) << error.remedy();
}

struct Foreign {
  std::string text;
  std::string place;
  std::string problem;
};

TEST(trace_json, refuses_what_is_no_trace) {
  const std::vector<Foreign> cases = {
      {"", "line 1, column 1", "empty"},
      {"   \n", "line 2, column 1", "empty"},
      {"\x7f"
       "ELF\x02\x01",
       "line 1, column 1", "is not JSON"},
      {"<html></html>", "line 1, column 1", "is not JSON"},
      {"{\n  \"format\": heddle\n}", "line 2, column 13", "is not JSON"},
      {"[1, 2, 3]", "", "not a heddle trace"},
      {"null", "", "not a heddle trace"},
      {"{\"name\": \"left-pad\", \"version\": \"1.0.0\"}", "", "not a heddle trace"},
      {"{\"format\": 7, \"version\": 1}", "", "not a heddle trace"},
      {"{\"format\": \"heddle-trace\"}", "version", "is missing"},
      {"{\"format\": \"heddle-trace\", \"version\": \"1\"}", "version", "not a number"},
      {"{\"format\": \"heddle-trace\", \"version\": 0}", "version", "is not a version"},
      {"{\"format\": \"heddle-trace\", \"version\": 3, \"news\": []}", "version",
       "has format version 3, this heddle reads up to 2"},
      {"{\"format\": \"heddle-trace\", \"format\": \"heddle-trace\", \"version\": 1}", "format",
       "stands twice"},
  };
  for (const Foreign& one : cases) {
    const TraceError error = refusal(one.text);
    EXPECT_EQ(error.place(), one.place) << one.text;
    EXPECT_TRUE(mentions(error.problem(), one.problem)) << one.text << "\n" << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(trace_json, says_of_a_newer_version_what_to_do) {
  const TraceError error =
      refusal(edited([](json& document) { document["version"] = Trace::current_version + 1; }));
  EXPECT_TRUE(mentions(error.remedy(), "Use the heddle that recorded it")) << error.what();
}

struct Edit {
  std::function<void(json&)> change;
  std::string place;
  std::string problem;
};

void expect_refused(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const TraceError error = refusal(edited(edit.change));
    EXPECT_EQ(error.place(), edit.place) << error.what();
    EXPECT_TRUE(mentions(error.problem(), edit.problem)) << edit.place << ": " << error.problem();
  }
}

TEST(trace_json, refuses_fields_of_the_head) {
  expect_refused({
      {[](json& d) { d.erase("scenario"); }, "scenario", "is missing"},
      {[](json& d) { d["scenario"] = 7; }, "scenario", "must be text, but is a number"},
      {[](json& d) { d["memory_model"] = "tso"; }, "memory_model", "not a memory model"},
      {[](json& d) { d["memory_model"] = "rc1"; }, "memory_model", "did you mean 'rc11'?"},
      {[](json& d) { d["timeouts"] = "yes"; }, "timeouts", "must be true or false, but is text"},
      {[](json& d) { d["spurious_wakeups"] = -1; }, "spurious_wakeups", "-1 is not between"},
      {[](json& d) { d["failure"] = nullptr; }, "failure", "must be an object, but is null"},
      {[](json& d) { d["failure"]["kind"] = "datarace"; }, "failure.kind",
       "did you mean 'data_race'?"},
      {[](json& d) { d["failure"].erase("message"); }, "failure.message", "is missing"},
      {[](json& d) { d["failure"]["thread"] = 9; }, "failure.thread", "never started"},
      {[](json& d) { d["failure"]["line"] = 4294967296; }, "failure.line",
       "4294967296 is not between 0 and 4294967295"},
      {[](json& d) { d["failure"]["lines"] = 4; }, "failure.lines", "is not a field"},
      {[](json& d) { d["execution"] = -1; }, "execution", "-1 is not between"},
      {[](json& d) { d["execution"] = 1.5; }, "execution", "must be a whole number"},
      {[](json& d) {
         d["conflict"] = json::array({"here", 7});
       },
       "conflict[1]", "must be text"},
      {[](json& d) { d["locations"] = 1; }, "locations", "must be a list"},
      {[](json& d) {
         d["locations"] = json::array({{{"name", "T0.1"}}});
       },
       "locations[0].role", "is missing"},
      {[](json& d) { d["checksum"] = true; }, "checksum", "must be text"},
      {[](json& d) { d["steps"] = json::object(); }, "steps", "must be a list, but is an object"},
      {[](json& d) { d["extra"] = 1; }, "extra", "is not a field of this format"},
  });
}

TEST(trace_json, refuses_decisions_that_name_nothing) {
  const auto with = [](const char* decision) {
    return [decision](json& d) { d["decisions"] = json::array({json::parse(decision)}); };
  };
  expect_refused({
      {[](json& d) { d["decisions"] = 1; }, "decisions", "must be a list"},
      {with(R"({"kind":"ran","thread":"0","site":"a","occurrence":1,"run":"0.1"})"),
       "decisions[0].kind", "did you mean 'run'?"},
      {with(R"({"kind":"run","thread":"1","site":"a","occurrence":1,"run":"0.1"})"),
       "decisions[0].thread", "'1' is not a thread"},
      {with(R"({"kind":"run","thread":"0","site":"a","occurrence":1,"run":"0.0"})"),
       "decisions[0].run", "'0.0' is not a thread"},
      {with(R"({"kind":"run","thread":"0","site":"","occurrence":1,"run":"0.1"})"),
       "decisions[0].site", "is empty"},
      {with(R"({"kind":"run","thread":"0","site":"a","occurrence":0,"run":"0.1"})"),
       "decisions[0].occurrence", "counts from 1"},
      {with(R"({"kind":"read","thread":"0","site":"a","occurrence":1,"from":7})"),
       "decisions[0].from", "must be an object"},
      {with(R"({"kind":"place","thread":"0","site":"a","occurrence":1,"before":"initial"})"),
       "decisions[0].before.thread", "is not a thread"},
      {with(R"({"kind":"choose","thread":"0","site":"a","occurrence":1})"), "decisions[0].choice",
       "is missing"},
      {[](json& d) { d["max_steps"] = 0; }, "max_steps", "at least 1"},
      {[](json& d) { d["stack_bytes"] = 100; }, "stack_bytes", "at least 16384"},
      {[](json& d) { d["stack_bytes"] = 1LL << 40; }, "stack_bytes", "is not between"},
  });
}

TEST(trace_json, reads_the_first_version_with_the_defaults_of_the_second) {
  const Trace sample = support::message_passing().trace();
  const std::string old = edited([](json& document) {
    document["version"] = 1;
    document.erase("max_steps");
    document.erase("stack_bytes");
  });
  EXPECT_EQ(read_json(old, "x"), sample);
}

TEST(trace_json, refuses_fields_of_steps) {
  expect_refused({
      {[](json& d) { d["steps"][1] = 5; }, "steps[1]", "must be an object"},
      {[](json& d) { d["steps"][1].erase("kind"); }, "steps[1].kind", "is missing"},
      {[](json& d) { d["steps"][1].erase("other_thread"); }, "steps[1].other_thread", "is missing"},
      {[](json& d) { d["steps"][1]["other_thread"] = 1; }, "steps[1].other_thread",
       "has been started before"},
      {[](json& d) { d["steps"][1]["kind"] = "join"; }, "steps[1].other_thread",
       "has not been started"},
      {[](json& d) { d["steps"][2]["thread"] = 3; }, "steps[2].thread", "has not been started"},
      {[](json& d) { d["steps"][2]["thread"] = -1; }, "steps[2].thread", "is not between"},
      {[](json& d) { d["steps"][2]["order"] = "release "; }, "steps[2].order",
       "did you mean 'release'?"},
      {[](json& d) { d["steps"][2].erase("order"); }, "steps[2].order", "is missing"},
      {[](json& d) { d["steps"][2].erase("location"); }, "steps[2].location", "is missing"},
      {[](json& d) { d["steps"][2]["written"] = "42"; }, "steps[2].written", "not a value in hex"},
      {[](json& d) { d["steps"][2]["written"] = "0x"; }, "steps[2].written", "not a value in hex"},
      {[](json& d) { d["steps"][2]["read"] = "0x1"; }, "steps[2].read", "does not belong"},
      {[](json& d) { d["steps"][3]["co_position"] = 0x1p40; }, "steps[3].co_position",
       "must be a whole number"},
      {[](json& d) { d["steps"][3]["location"] = "T0.1"; }, "steps[3].co_position",
       "has place 1 in the modification order of T0.1 already"},
      {[](json& d) { d["steps"][4]["source"] = 4; }, "steps[4].source",
       "step 4 is not before this one, which is step 4"},
      {[](json& d) { d["steps"][4]["source"] = 99; }, "steps[4].source", "is not before"},
      {[](json& d) { d["steps"][4]["source"] = 1; }, "steps[4].source", "writes nothing"},
      {[](json& d) { d["steps"][4]["source"] = 2; }, "steps[4].source",
       "step 2 writes T0.1, this one reads T0.2"},
      {[](json& d) { d["steps"][4]["source"] = "init"; }, "steps[4].source",
       "must be the number of a step or \"initial\""},
      {[](json& d) { d["steps"][4]["source"] = -1; }, "steps[4].source", "must be the number"},
      {[](json& d) { d["steps"][4].erase("source"); }, "steps[4].source", "is missing"},
      {[](json& d) { d["steps"][4]["read"] = "0x2"; }, "steps[4].read",
       "reads 0x2 although step 3, its source, writes 0x1"},
      {[](json& d) { d["steps"][4]["colour"] = "red"; }, "steps[4].colour", "is not a field"},
      {[](json& d) { d["steps"][4]["stale"] = 1; }, "steps[4].stale", "must be true or false"},
      {[](json& d) {
         d["steps"][4] = {{"kind", "choose"}, {"thread", 2}, {"choice", 3}, {"choices", 3}};
       },
       "steps[4].choice", "3 is not one of the 3 choices"},
  });
}

TEST(trace_json, survives_a_file_of_deep_brackets) {
  EXPECT_TRUE(mentions(refusal(std::string(1'000'000, '[')).problem(), "cut short"));
}

}  // namespace
}  // namespace heddle::sim
