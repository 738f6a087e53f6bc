// Widths, wrapping and cleaning of text.
#include <heddle/sim/report/text.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle::sim::report {
namespace {

using Lines = std::vector<std::string>;

TEST(text, clean_leaves_no_control_character_and_only_utf8) {
  EXPECT_EQ(clean("größe → 1"), "größe → 1");
  EXPECT_EQ(clean("a\n\tb\x1b[31m\x7f"), "a  b [31m ");
  EXPECT_EQ(clean("\xc2\x9b"), " ");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(clean("\xff"), bad);
  EXPECT_EQ(clean("\xc3"), bad);
  EXPECT_EQ(clean("\xc0\xaf"), bad + bad);
  EXPECT_EQ(clean("\xed\xa0\x80"), bad + bad + bad);
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), bad + bad + bad + bad);
  EXPECT_EQ(clean(std::string("\0", 1)), " ");
}

TEST(text, shorten_keeps_both_ends) {
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abc…fg");
  EXPECT_EQ(shorten("ääääää", 3), "ä…ä");
  EXPECT_EQ(shorten("abc", 1), "…");
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(text, wrap_breaks_at_spaces_where_it_can) {
  EXPECT_EQ(wrap("", 5), (Lines{""}));
  EXPECT_EQ(wrap("one two", 7), (Lines{"one two"}));
  EXPECT_EQ(wrap("one two", 6), (Lines{"one", "two"}));
  EXPECT_EQ(wrap("one two three", 7, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrap("abcdefgh", 3, 1), (Lines{"abc", " de", " fg", " h"}));
  EXPECT_EQ(wrap("ab", 0), (Lines{"a", "b"}));
}

TEST(text, grouped_and_counted) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "execution"), "1 execution");
  EXPECT_EQ(counted(2000, "execution"), "2,000 executions");
}

TEST(text, painter_paints_only_with_colours) {
  EXPECT_EQ(Painter(true)(Style::yellow, "x"), "\x1b[33mx\x1b[0m");
  EXPECT_EQ(Painter(true)(Style::plain, "x"), "x");
  EXPECT_EQ(Painter(false)(Style::red, "x"), "x");
}

RC_GTEST_PROP(text, wrap_loses_nothing_but_spaces, (const std::string& raw)) {
  const std::string text = clean(raw);
  const auto width = *rc::gen::inRange<std::size_t>(1, 20);
  std::string joined;
  for (const std::string& line : wrap(text, width)) {
    RC_ASSERT(width_of(line) <= width);
    joined += line;
  }
  const auto letters = [](std::string from) {
    std::erase(from, ' ');
    return from;
  };
  RC_ASSERT(letters(joined) == letters(text));
}

RC_GTEST_PROP(text, clean_is_done_after_once, (const std::string& raw)) {
  RC_ASSERT(clean(clean(raw)) == clean(raw));
}

}  // namespace
}  // namespace heddle::sim::report
