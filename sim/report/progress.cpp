#include <heddle/sim/report/progress.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

constexpr std::chrono::milliseconds between_renewals{100};
constexpr std::chrono::seconds between_lines{10};
constexpr std::chrono::seconds silence_max{10};

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f}M/s", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.0f}k/s", per_second / 1e3);
  return fmt::format("{:.0f}/s", per_second);
}

// An estimate is wrong by a factor; a small one reads better as a percentage.
std::string error_text(double error) {
  if (error <= 0) return "";
  if (error < 0.5) return fmt::format(" ± {:.0f}%", 100 * std::expm1(error));
  return fmt::format(" (within a factor of {:.1f})", std::exp(std::min(error, 20.0)));
}

std::string share_text(const Progress& progress) {
  const auto seen = static_cast<double>(progress.executions);
  if (progress.estimated_total < seen || progress.estimated_total <= 0) return "";
  std::string text =
      fmt::format(", {:.0f}% of about {}", 100 * seen / progress.estimated_total,
                  grouped(static_cast<std::uint64_t>(std::min(progress.estimated_total, 1e18))));
  text += error_text(progress.estimated_error);
  if (progress.executions_per_second > 0) {
    const double left = (progress.estimated_total - seen) / progress.executions_per_second;
    text += fmt::format(
        ", {} left",
        duration_text(std::chrono::seconds(static_cast<std::int64_t>(std::min(left, 1e9)))));
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& out, Mode mode, std::size_t scenarios, std::size_t width,
                           std::function<Clock::time_point()> now)
    : out_(out),
      mode_(mode),
      scenarios_(scenarios),
      width_(width),
      now_(std::move(now)),
      last_(now_()) {}

void ProgressLine::started(const std::string& scenario) {
  const auto now = now_();
  running_[scenario] = {now, now, {}};
  tick();
}

void ProgressLine::progress(const std::string& scenario, const Progress& progress) {
  const auto found = running_.find(scenario);
  if (found == running_.end()) return;
  Running& one = found->second;
  const auto runs = [](const Progress& of) { return of.executions + of.blocked; };
  if (runs(progress) > runs(one.progress)) one.changed = now_();
  one.progress = progress;
  tick();
}

void ProgressLine::finished(const std::string& scenario) {
  running_.erase(scenario);
  ++done_;
  tick();
}

std::string ProgressLine::line(Clock::time_point now) const {
  std::string text = fmt::format("[{}/{}]", done_, scenarios_);
  std::string_view separator = " ";
  for (const auto& [name, one] : running_) {
    const Progress& progress = one.progress;
    text += fmt::format("{}{}: {}", separator, name, counted(progress.executions, "execution"));
    if (progress.blocked > 0) text += fmt::format(" ({} blocked)", grouped(progress.blocked));
    if (progress.executions_per_second > 0) {
      text += ", " + rate_text(progress.executions_per_second);
    }
    text += share_text(progress);
    if (progress.chance_of_new) {
      text += fmt::format(", chance of a new one {:.2g} %", 100 * *progress.chance_of_new);
    }
    if (now - one.changed >= silence_max) {
      text += fmt::format(", none ended for {}: does a loop of the body lack spin_hint()?",
                          duration_text(now - one.changed));
    }
    separator = "; ";
  }
  return text;
}

void ProgressLine::tick() {
  const auto now = now_();
  if (mode_ == Mode::quiet) return;
  if (mode_ == Mode::lines) {
    if (now - last_ < between_lines || running_.empty()) return;
    last_ = now;
    out_ << line(now) << '\n' << std::flush;
    return;
  }
  if (shown_ && now - last_ < between_renewals) return;
  last_ = now;
  shown_ = true;
  // To the start of the line, the text, and the rest of an older and longer one cleared.
  out_ << '\r' << shorten(line(now), width_ > 1 ? width_ - 1 : 1) << "\x1b[K" << std::flush;
}

void ProgressLine::clear() {
  if (mode_ != Mode::terminal || !shown_) return;
  out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace heddle::sim::report
