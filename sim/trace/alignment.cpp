#include <heddle/sim/trace/alignment.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include <heddle/sim/trace/event_name.hpp>

namespace heddle::sim::trace {
namespace {

constexpr std::size_t cells_max = 4'000'000;

struct Named {
  TraceEventName name;
  const TraceStep* step;
};

std::map<std::string, std::vector<Named>> by_thread(const Trace& trace) {
  std::map<std::string, std::vector<Named>> threads;
  const auto names = event_names(trace);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].site.empty()) threads[names[i].thread].push_back({names[i], &trace.steps[i]});
  }
  return threads;
}

int likeness(const Named& a, const Named& b) {
  if (a.step->kind != b.step->kind) return 0;
  int points = 1;
  if (a.step->role == b.step->role) points += 2;
  if (a.name.site == b.name.site) points += 4;
  if (a.step->order == b.step->order) points += 1;
  if (a.step->location == b.step->location) points += 1;
  if (a.step->line == b.step->line) points += 1;
  return points;
}

using Names = std::map<std::tuple<std::string, std::string, std::uint32_t>, TraceEventName>;

void align(const std::vector<Named>& recorded, const std::vector<Named>& now, Names& names) {
  const std::size_t width = now.size() + 1;
  if ((recorded.size() + 1) * width > cells_max) return;
  std::vector<int> best((recorded.size() + 1) * width, 0);
  for (std::size_t i = recorded.size(); i-- > 0;) {
    for (std::size_t j = now.size(); j-- > 0;) {
      int& cell = best[i * width + j];
      cell = std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
      const int points = likeness(recorded[i], now[j]);
      if (points > 0) cell = std::max(cell, points + best[(i + 1) * width + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < recorded.size() && j < now.size();) {
    const int points = likeness(recorded[i], now[j]);
    if (points > 0 && best[i * width + j] == points + best[(i + 1) * width + j + 1]) {
      const TraceEventName& old = recorded[i].name;
      names.emplace(std::tuple(old.thread, old.site, old.occurrence), now[j].name);
      ++i;
      ++j;
    } else if (best[i * width + j] == best[(i + 1) * width + j]) {
      ++i;
    } else {
      ++j;
    }
  }
}

}  // namespace

std::vector<TraceDecision> renamed(std::span<const TraceDecision> decisions, const Trace& recorded,
                                   const Trace& now) {
  Names names;
  const auto old_threads = by_thread(recorded);
  const auto new_threads = by_thread(now);
  for (const auto& [role, events] : old_threads) {
    const auto found = new_threads.find(role);
    if (found != new_threads.end()) align(events, found->second, names);
  }
  std::vector<TraceDecision> result(decisions.begin(), decisions.end());
  const auto rename = [&](TraceEventName& name) {
    const auto found = names.find({name.thread, name.site, name.occurrence});
    if (found != names.end()) name = found->second;
  };
  for (TraceDecision& decision : result) {
    rename(decision.at);
    rename(decision.other);
  }
  return result;
}

}  // namespace heddle::sim::trace
