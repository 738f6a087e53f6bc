// How far a long run is: one line that renews itself on a terminal, a line every ten seconds
// elsewhere, nothing when quiet.
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>

#include <heddle/sim/explore/options.hpp>

namespace heddle::sim::report {

class ProgressLine {
 public:
  enum class Mode : std::uint8_t { quiet, lines, terminal };
  using Clock = std::chrono::steady_clock;

  /// `scenarios`: how many will run. `width`: columns of the terminal.
  ProgressLine(std::ostream& out, Mode mode, std::size_t scenarios, std::size_t width,
               std::function<Clock::time_point()> now = Clock::now);

  void started(const std::string& scenario);
  void progress(const std::string& scenario, const Progress& progress);
  void finished(const std::string& scenario);
  /// Prints when it is time to; call it at least every second, so that a run in which nothing
  /// happens is seen to be one.
  void tick();
  /// Takes the line off the terminal: before anything else is printed.
  void clear();

 private:
  struct Running {
    Clock::time_point since;
    Clock::time_point changed;  ///< when the number of executions grew last
    Progress progress;
  };

  std::string line(Clock::time_point now) const;

  std::ostream& out_;
  Mode mode_;
  std::size_t scenarios_;
  std::size_t width_;
  std::function<Clock::time_point()> now_;
  std::map<std::string, Running> running_;
  std::size_t done_ = 0;
  bool shown_ = false;
  Clock::time_point last_;
};

}  // namespace heddle::sim::report
