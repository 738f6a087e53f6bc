// The progress line, on a clock that the test moves.
#include <heddle/sim/report/progress.hpp>

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace heddle::sim::report {
namespace {

using namespace std::chrono_literals;

class Fixture {
 public:
  explicit Fixture(ProgressLine::Mode mode, std::size_t width = 200)
      : line(out, mode, 3, width, [this] { return now; }) {}

  std::string taken() {
    std::string text = out.str();
    out.str("");
    return text;
  }

  static Progress at(std::uint64_t executions, double estimate = 0) {
    Progress progress;
    progress.executions = executions;
    progress.executions_per_second = 2000;
    progress.estimated_total = estimate;
    return progress;
  }

  std::ostringstream out;
  ProgressLine::Clock::time_point now{1000s};
  ProgressLine line;
};

TEST(progress, is_silent_when_quiet) {
  Fixture fixture(ProgressLine::Mode::quiet);
  fixture.line.started("x");
  fixture.now += 60s;
  fixture.line.progress("x", Fixture::at(7));
  fixture.line.finished("x");
  fixture.line.clear();
  EXPECT_EQ(fixture.taken(), "");
}

TEST(progress, prints_a_line_every_ten_seconds) {
  Fixture fixture(ProgressLine::Mode::lines);
  fixture.line.started("two_thieves");
  fixture.now += 9s;
  fixture.line.progress("two_thieves", Fixture::at(18000, 24000));
  EXPECT_EQ(fixture.taken(), "");
  fixture.now += 1s;
  fixture.line.tick();
  EXPECT_EQ(fixture.taken(),
            "[0/3] two_thieves: 18,000 executions, 2k/s, 75% of about 24,000, 3.0 s left\n");
  fixture.line.tick();
  EXPECT_EQ(fixture.taken(), "");
  fixture.now += 10s;
  fixture.line.finished("two_thieves");
  EXPECT_EQ(fixture.taken(), "") << "nothing runs";
}

TEST(progress, renews_one_line_on_a_terminal) {
  Fixture fixture(ProgressLine::Mode::terminal);
  fixture.line.started("a");
  EXPECT_EQ(fixture.taken(), "\r[0/3] a: 0 executions\x1b[K");
  fixture.line.progress("a", Fixture::at(1));
  EXPECT_EQ(fixture.taken(), "") << "not more than ten times a second";
  fixture.now += 100ms;
  fixture.line.started("b");
  EXPECT_EQ(fixture.taken(), "\r[0/3] a: 1 execution, 2k/s; b: 0 executions\x1b[K");
  fixture.line.clear();
  EXPECT_EQ(fixture.taken(), "\r\x1b[K");
  fixture.line.clear();
  EXPECT_EQ(fixture.taken(), "");
}

TEST(progress, fits_the_terminal) {
  Fixture fixture(ProgressLine::Mode::terminal, 20);
  fixture.line.started("a_scenario_with_a_long_name");
  EXPECT_EQ(fixture.taken(), "\r[0/3] a_s…xecutions\x1b[K");
}

TEST(progress, says_when_no_execution_ends) {
  Fixture fixture(ProgressLine::Mode::lines);
  fixture.line.started("loop");
  fixture.now += 11s;
  fixture.line.tick();
  const std::string text = fixture.taken();
  EXPECT_NE(text.find("none ended for 11.0 s: does a loop of the body lack spin_hint()?"),
            std::string::npos)
      << text;
  fixture.line.progress("loop", Fixture::at(1));
  fixture.now += 5s;
  fixture.now += 5s;
  fixture.line.progress("loop", Fixture::at(2));
  EXPECT_EQ(fixture.taken().find("none ended"), std::string::npos);
}

TEST(progress, makes_no_promise_from_a_bad_estimate) {
  Fixture fixture(ProgressLine::Mode::terminal);
  fixture.line.started("x");
  fixture.taken();
  for (const double estimate : {0.0, 5.0, -3.0}) {
    fixture.now += 1s;
    fixture.line.progress("x", Fixture::at(10, estimate));
    EXPECT_EQ(fixture.taken(), "\r[0/3] x: 10 executions, 2k/s\x1b[K");
  }
  fixture.now += 1s;
  fixture.line.progress("x", Fixture::at(10, 1e300));
  EXPECT_NE(fixture.taken().find("0% of about 1,000,000,000,000,000,000"), std::string::npos);
}

}  // namespace
}  // namespace heddle::sim::report
