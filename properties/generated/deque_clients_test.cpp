// All clients of the deque, and drawn ones.
//
// All: every owner's script of up to four operations, beside up to two thieves with one operation
// each. Enumerated, not drawn; each explored exhaustively under RC11.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "deque_client.hpp"
#include "search.hpp"

namespace {

using namespace heddle::properties;
namespace sim = heddle::sim;

std::string told(const DequeScript& script, const sim::Report& report) {
  std::string text = text_of(script) + "\n  " + std::string(to_string(report.verdict));
  if (report.failure) text += ": " + report.failure->message;
  return text + report.bound;
}

/// Every script of the owner with `length` operations, bit by bit.
std::vector<DequeCall> owner_script(unsigned length, unsigned bits) {
  std::vector<DequeCall> calls;
  for (unsigned at = 0; at < length; ++at) {
    calls.push_back((bits >> at & 1U) != 0 ? DequeCall::pop : DequeCall::push);
  }
  return calls;
}

const std::vector<std::vector<std::vector<DequeCall>>> all_thieves = {
    {},
    {{DequeCall::steal}},
    {{DequeCall::steal_half}},
    {{DequeCall::steal}, {DequeCall::steal}},
    {{DequeCall::steal}, {DequeCall::steal_half}},
    {{DequeCall::steal_half}, {DequeCall::steal_half}}};

TEST(deque_clients, all_of_up_to_four_operations_and_two_thieves) {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;
  for (unsigned length = 0; length <= 4; ++length) {
    for (unsigned bits = 0; bits < 1U << length; ++bits) {
      for (const auto& thieves : all_thieves) {
        const DequeScript script{owner_script(length, bits), thieves};
        const sim::Report report = explore<OwnDeque>(script);
        ASSERT_EQ(report.verdict, sim::Verdict::verified) << told(script, report);
        ASSERT_GT(report.executions, 0U) << text_of(script);
        ++programs;
        executions += report.executions;
      }
    }
  }
  EXPECT_EQ(programs, 31U * 6U);
  RecordProperty("executions", std::to_string(executions));
}

/// At most `pushes_max` pushes: more are left out.
rc::Gen<DequeScript> scripts(std::size_t owner_max, std::size_t thief_max, int pushes_max) {
  using rc::gen::element;
  // Vectors of any length, cut: so that shrinking leaves out operations.
  const auto cut = [](std::size_t most, rc::Gen<DequeCall> one) {
    return rc::gen::map(rc::gen::container<std::vector<DequeCall>>(std::move(one)),
                        [most](std::vector<DequeCall> drawn) {
                          if (drawn.size() > most) drawn.resize(most);
                          return drawn;
                        });
  };
  const auto owner = cut(owner_max, element(DequeCall::push, DequeCall::push, DequeCall::pop));
  const auto thief = cut(thief_max, element(DequeCall::steal, DequeCall::steal_half));
  const auto thieves =
      rc::gen::map(rc::gen::container<std::vector<std::vector<DequeCall>>>(thief), [](auto drawn) {
        if (drawn.size() > 2) drawn.resize(2);
        return drawn;
      });
  const auto few_pushes = rc::gen::map(owner, [pushes_max](std::vector<DequeCall> calls) {
    int pushes = 0;
    std::erase_if(calls,
                  [&](DequeCall call) { return call == DequeCall::push && ++pushes > pushes_max; });
    return calls;
  });
  return rc::gen::construct<DequeScript>(few_pushes, thieves);
}

TEST(deque_clients, drawn_ones) {
  Searched searched;
  const auto found = search<DequeScript>(
      scripts(7, 2, 7), 25, 12,
      [](const DequeScript& script) { return explore<OwnDeque>(script, 5'000); }, searched);
  EXPECT_FALSE(found.has_value()) << "seed " << found->seed
                                  << ", shrunk: " << told(found->program, found->report);
  RecordProperty("programs", std::to_string(searched.programs));
  RecordProperty("too_large", std::to_string(searched.incomplete));
}

constexpr int naive_capacity = 4;  // its ring does not grow

// The published steal-half is found, and what is shown of it is the smallest program that has it.
TEST(deque_clients, a_flawed_deque_is_found_and_shrinks) {
  Searched searched;
  const auto found = search<DequeScript>(
      scripts(7, 1, naive_capacity), 5'000, 20,
      [](const DequeScript& script) { return explore<NaiveDeque>(script, 500); }, searched);
  ASSERT_TRUE(found.has_value()) << "in " << searched.programs << " programs";
  const DequeScript& script = found->program;
  EXPECT_EQ(script.thieves.size(), 1U) << text_of(script);
  EXPECT_EQ(script.thieves.at(0), std::vector{DequeCall::steal_half}) << text_of(script);
  const auto pushes = std::count(script.owner.begin(), script.owner.end(), DequeCall::push);
  const auto pops = std::count(script.owner.begin(), script.owner.end(), DequeCall::pop);
  // The last pop may be the one that empties the deque after the script.
  EXPECT_GE(pushes, 3) << text_of(script);
  EXPECT_LE(pushes, 4) << text_of(script);
  EXPECT_LE(pops, 3) << text_of(script);
  EXPECT_TRUE(found->report.failure.has_value());
  RecordProperty("found", "seed " + std::to_string(found->seed) + ": " + text_of(script));
}

}  // namespace
