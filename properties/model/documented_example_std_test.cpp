// The example of docs/linearizability.md. The lines between the marks stand in the document word
// for word; the last test sees to it.
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

// [example
#include <heddle/model.hpp>

namespace model = heddle::model;

/// Hands out 1, 2, 3, …: every ticket once, in order.
struct TicketDispenser {
  struct Call {};
  using Result = int;
  using State = int;
  using Draw = model::Operation<Call, Result>;

  State initial() const { return 1; }
  std::optional<State> step(State next, const Draw& draw) const {
    const bool possible = !draw.result.has_value() || *draw.result == next;
    return possible ? std::optional(next + 1) : std::nullopt;
  }
  std::size_t hash(State next) const { return static_cast<std::size_t>(next); }
  std::string call_text(Call) const { return "draw()"; }
  std::string result_text(Call, int ticket) const { return std::to_string(ticket); }
  std::string state_text(State next) const { return "next is " + std::to_string(next); }
};

model::CheckResult two_threads_draw(int first, int second) {
  model::History<TicketDispenser> history;
  const auto a = history.call(0, {});  // thread 0 and thread 1 draw at the same time
  const auto b = history.call(1, {});
  history.returns(a, first);
  history.returns(b, second);
  history.record(0, {}, 3);  // and then thread 0 once more
  return model::check_linearizable(TicketDispenser{}, history);
}
// example]

namespace {

TEST(DocumentedExample, says_what_the_document_says) {
  EXPECT_EQ(two_threads_draw(2, 1).verdict, model::Verdict::linearizable);
  const model::CheckResult twice = two_threads_draw(1, 1);
  ASSERT_EQ(twice.verdict, model::Verdict::not_linearizable);
  EXPECT_EQ(
      twice.conflict->text,
      R"(not linearizable: no order of these 2 operations (of 3) that keeps to real time is allowed by the specification.
  #0   thread 0   draw() -> 1
  #1   thread 1   draw() -> 1
The longest order that works, with the state behind each operation:
  start        next is 1
  draw() -> 1  next is 2
What cannot come next:
  #1   draw() -> 1: impossible in state next is 2
)");
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(DocumentedExample, stands_in_the_document_as_it_is_here) {
  const std::string source = text_of("properties/model/documented_example_std_test.cpp");
  const std::string document = text_of("docs/linearizability.md");
  const std::string open = "// [example\n";
  const std::size_t from = source.find(open) + open.size();
  const std::string example = source.substr(from, source.find("// example]") - from);
  ASSERT_GT(example.size(), 1'000U);
  EXPECT_NE(document.find("```cpp\n" + example + "```\n"), std::string::npos);
  EXPECT_NE(document.find("```\n" + two_threads_draw(1, 1).conflict->text + "```\n"),
            std::string::npos);
}

}  // namespace
