// Values of a replay against recorded ones: equal, or addresses that the system has moved.
#include <heddle/sim/trace/value_match.hpp>

#include <gtest/gtest.h>

namespace heddle::sim::trace {
namespace {

TEST(value_match, numbers_match_only_when_they_are_equal) {
  ValueMatch values;
  EXPECT_TRUE(values.matches("0x2a", {0x2a, 0}));
  EXPECT_FALSE(values.matches("0x2a", {0x2b, 0}));
  EXPECT_FALSE(values.matches("0x1000", {0x2000, 0})) << "too small for an address that moves";
  EXPECT_TRUE(values.matches("0xffffffffffffffff", {~std::uint64_t{0}, 0}));
  EXPECT_FALSE(values.matches("0xffffffffffffffff", {~std::uint64_t{0} - 1, 0}));
  EXPECT_TRUE(values.matches("0x10000000000000002", {2, 1}));
  EXPECT_FALSE(values.matches("0x10000000000000002", {2, 0}));
}

TEST(value_match, addresses_may_have_moved_by_pages) {
  ValueMatch values;
  EXPECT_TRUE(values.matches("0x7f025ee00070", {0x7fedba800070, 0}));
  EXPECT_TRUE(values.matches("0x7f025ee00070", {0x7fedba800070, 0}));
  EXPECT_TRUE(values.matches("0x7f025ee00080", {0x7fedba800080, 0}));
  EXPECT_FALSE(values.matches("0x7f025ee00070", {0x7fedba800080, 0})) << "another object";
  EXPECT_FALSE(values.matches("0x7f025ee00070", {0x7fedba801070, 0})) << "the page has a place";
  EXPECT_FALSE(values.matches("0x7f025ee01070", {0x7fedba800070, 0})) << "the place is taken";
}

TEST(value_match, an_address_that_did_not_move_is_known_too) {
  ValueMatch values;
  EXPECT_TRUE(values.matches("0x200000000070", {0x200000000070, 0}));
  EXPECT_FALSE(values.matches("0x200000000070", {0x200000001070, 0}));
}

TEST(value_match, what_is_no_value_matches_nothing) {
  ValueMatch values;
  EXPECT_FALSE(values.matches("", {0, 0}));
  EXPECT_FALSE(values.matches("0xzz", {0, 0}));
  EXPECT_FALSE(values.matches("42", {42, 0}));
}

}  // namespace
}  // namespace heddle::sim::trace
