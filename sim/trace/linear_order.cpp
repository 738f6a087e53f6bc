// Dijkstra over the ideals of program order and reads-from: a state is how far each thread has
// come, and which one runs. A step costs when it reads an old value or writes into the past, when
// it is of another thread than the last, and a little in any case.

#include <heddle/sim/trace/linear_order.hpp>

#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <utility>

#include <heddle/sim/trace/story.hpp>

namespace heddle::sim::trace {
namespace {

using Kind = TraceStep::Kind;

constexpr std::uint64_t stale_cost = std::uint64_t{1} << 40;
constexpr std::uint64_t switch_cost = std::uint64_t{1} << 20;
constexpr std::size_t events_max = 4000;

// Thread by its index here, and how many of its events have to be done.
struct Need {
  std::size_t thread;
  std::uint16_t count;
};

struct EventNode {
  std::size_t step;
  std::vector<Need> needs;      // must be done before
  std::vector<Need> outdating;  // when one of these is done, this event is of the past
};

struct Node {
  std::u16string positions;  // by thread; the last one is the thread that runs
  std::size_t parent;
  std::uint64_t cost;
};

class Search {
 public:
  Search(const Trace& trace, Until until, std::size_t states_max)
      : trace_(trace), until_(until), states_max_(states_max) {
    collect();
  }

  std::optional<std::vector<std::size_t>> run() {
    if (events_ == 0 || events_ > events_max) return std::nullopt;
    push(std::u16string(threads_.size() + 1, u'\0'), nowhere, 0);
    while (!queue_.empty()) {
      const auto [cost, index] = queue_.top();
      queue_.pop();
      if (cost > nodes_[index].cost) continue;
      if (done(nodes_[index].positions)) return path_to(index);
      if (nodes_.size() > states_max_) return std::nullopt;
      expand(index);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  void collect() {
    const auto steps = event_steps(trace_);
    events_ = steps.size();
    std::map<std::uint32_t, std::size_t> index_of{{0, 0}};
    threads_.resize(1);
    numbers_ = {0};
    std::vector<Need> node_of(trace_.steps.size());
    for (const std::size_t step : steps) {
      const std::uint32_t number = trace_.steps[step].thread;
      const auto [found, fresh] = index_of.try_emplace(number, threads_.size());
      if (fresh) {
        threads_.emplace_back();
        numbers_.push_back(number);
      }
      auto& thread = threads_[found->second];
      thread.push_back({step, {}, {}});
      node_of[step] = {found->second, static_cast<std::uint16_t>(thread.size())};
    }
    for (const std::size_t step : steps) connect(step, node_of, index_of);
  }

  EventNode& node(const Need& at) { return threads_[at.thread][at.count - 1U]; }

  void connect(std::size_t index, const std::vector<Need>& node_of,
               const std::map<std::uint32_t, std::size_t>& index_of) {
    const TraceStep& step = trace_.steps[index];
    EventNode& self = node(node_of[index]);
    if (step.source >= 0) {
      const Need& source = node_of[static_cast<std::size_t>(step.source)];
      if (source.count != 0) self.needs.push_back(source);
    }
    if (step.kind == Kind::spawn || step.kind == Kind::join) {
      const auto child = index_of.find(step.other_thread);
      if (child != index_of.end() && !threads_[child->second].empty()) {
        const std::size_t length = threads_[child->second].size();
        if (step.kind == Kind::spawn) {
          threads_[child->second].front().needs.push_back(node_of[index]);
        } else {
          self.needs.push_back({child->second, static_cast<std::uint16_t>(length)});
        }
      }
    }
    if (step.location.empty()) return;
    std::uint32_t place = step.co_position;
    if (step.source == TraceStep::initial) place = 0;
    if (step.source >= 0) place = trace_.steps[static_cast<std::size_t>(step.source)].co_position;
    for (std::size_t other = 0; other < trace_.steps.size(); ++other) {
      const TraceStep& write = trace_.steps[other];
      if (other == index || node_of[other].count == 0 || !write.written) continue;
      if (write.location == step.location && write.co_position > place) {
        self.outdating.push_back(node_of[other]);
      }
    }
  }

  bool done(const std::u16string& positions) const {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const bool counts = until_ == Until::all_done || numbers_[t] == trace_.thread;
      if (counts && positions[t] < threads_[t].size()) return false;
    }
    return true;
  }

  static bool has(const std::u16string& positions, const Need& need) {
    return positions[need.thread] >= need.count;
  }

  void expand(std::size_t index) {
    const std::u16string from = nodes_[index].positions;
    const std::uint64_t cost = nodes_[index].cost;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (from[t] >= threads_[t].size()) continue;
      const EventNode& next = threads_[t][from[t]];
      const auto met = [&](const Need& need) { return has(from, need); };
      if (!std::all_of(next.needs.begin(), next.needs.end(), met)) continue;
      std::uint64_t price = 1;
      if (std::any_of(next.outdating.begin(), next.outdating.end(), met)) price += stale_cost;
      if (from.back() != t) price += switch_cost;
      std::u16string to = from;
      ++to[t];
      to.back() = static_cast<char16_t>(t);
      push(std::move(to), index, cost + price);
    }
  }

  void push(std::u16string positions, std::size_t parent, std::uint64_t cost) {
    const auto [found, fresh] = index_of_.try_emplace(positions, nodes_.size());
    if (fresh) {
      nodes_.push_back({std::move(positions), parent, cost});
    } else if (cost < nodes_[found->second].cost) {
      nodes_[found->second].parent = parent;
      nodes_[found->second].cost = cost;
    } else {
      return;
    }
    queue_.push({cost, found->second});
  }

  std::vector<std::size_t> path_to(std::size_t index) const {
    std::vector<std::size_t> order;
    for (; nodes_[index].parent != nowhere; index = nodes_[index].parent) {
      const std::size_t t = nodes_[index].positions.back();
      order.push_back(threads_[t][nodes_[index].positions[t] - 1U].step);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Trace& trace_;
  Until until_;
  std::size_t states_max_;
  std::size_t events_ = 0;
  std::vector<std::vector<EventNode>> threads_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Node> nodes_;
  std::map<std::u16string, std::size_t> index_of_;
  using Entry = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

std::optional<std::vector<std::size_t>> simplest_order(const Trace& trace, Until until,
                                                       std::size_t states_max) {
  return Search(trace, until, states_max).run();
}

}  // namespace heddle::sim::trace
