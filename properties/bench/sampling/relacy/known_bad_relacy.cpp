// The known-bad variants under Relacy's random scheduler: executions until found, the median over
// starting points of its sequence. The histories of linearizability_scenarios.cpp have no Relacy
// form.
//
// usage: heddle_bench_sampling_relacy [STARTS [EXECUTIONS]], as heddle_bench_sampling

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <span>
#include <streambuf>
#include <string>
#include <vector>

#include <heddle/scheduler/queues/deque.hpp>

#include "../../../known_bad/growing_deque.hpp"
#include "../../../known_bad/naive_batch_deque.hpp"
#include "../../../known_bad/park_handshake.hpp"
#include "../../../known_bad/plain_deque.hpp"

namespace {

namespace known_bad = heddle::known_bad;

template <std::size_t Items>
struct Delivery {
  std::array<int, Items> taken{};

  void take(int item) {
    HEDDLE_ASSERT(item >= 1, "an item that was never put in");
    HEDDLE_ASSERT(item <= static_cast<int>(Items), "an item that was never put in");
    HEDDLE_ASSERT(++taken[static_cast<std::size_t>(item - 1)] == 1, "an item delivered twice");
  }
  void count(int item) {
    if (item >= 1 && item <= static_cast<int>(Items)) ++taken[static_cast<std::size_t>(item - 1)];
  }
  void check_nothing_lost() const {
    for (const int times : taken) HEDDLE_ASSERT(times >= 1, "an item was lost");
  }
};

template <bool Twice>
struct Batch {
  known_bad::naive_batch_deque deque;
  Delivery<5> delivered;

  void note(int item) { Twice ? delivered.take(item) : delivered.count(item); }
  void owner() {
    for (int item = 1; item <= 4; ++item) deque.push(item);
    for (int pops = 0, item = 0; pops < 3; ++pops) {
      if (deque.pop(item)) note(item);
    }
    deque.push(5);
  }
  void other() {
    std::array<int, 4> buffer{};
    const std::size_t got = deque.steal_half(buffer);
    for (const int item : std::span(buffer).first(got)) note(item);
  }
  void end() {
    for (int item = 0; deque.pop(item);) note(item);
    delivered.check_nothing_lost();
  }
};

template <class Choices, int Pops>
struct Plain {
  known_bad::plain_deque<Choices> deque;
  Delivery<2> delivered;

  void owner() {
    deque.push(1);
    deque.push(2);
    for (int item = 0, pops = Pops; pops > 0; --pops) {
      if (deque.pop(item)) delivered.take(item);
    }
  }
  void other() {
    int item = 0;
    if (deque.steal(item)) delivered.take(item);
  }
  void end() {
    for (int item = 0; deque.pop(item);) delivered.take(item);
    delivered.check_nothing_lost();
  }
};

template <class Choices>
struct Growing {
  known_bad::growing_deque<Choices> deque;
  Delivery<4> delivered;

  Growing() {
    deque.push(1);
    deque.push(2);
  }
  void owner() {
    deque.push(3);
    for (int pops = 0, item = 0; pops < 2; ++pops) {
      if (deque.pop(item)) delivered.take(item);
    }
    deque.push(4);
  }
  void other() {
    std::array<int, 2> buffer{};
    const std::size_t got = deque.steal_some(buffer);
    for (const int item : std::span(buffer).first(got)) delivered.take(item);
  }
  void end() {
    for (int item = 0; deque.pop(item);) delivered.take(item);
    delivered.check_nothing_lost();
  }
};

struct three_bits : heddle::deque_limits {
  static constexpr unsigned index_bits = 3;
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 2;
};

struct Narrow {
  static constexpr int items = 9;
  heddle::deque<int, three_bits> deque;
  Delivery<items> delivered;

  Narrow() { deque.push(1); }
  void owner() {
    int item = 0;
    for (int next = 2; next <= items; ++next) {
      if (deque.pop(item) == heddle::pop_result::item) delivered.take(item);
      deque.push(next);
    }
  }
  void other() {
    int item = 0;
    if (deque.steal(item) == heddle::steal_result::item) delivered.take(item);
  }
  void end() {
    for (int item = 0; deque.pop(item) == heddle::pop_result::item;) delivered.take(item);
    delivered.check_nothing_lost();
  }
};

struct Park {
  known_bad::park_handshake<known_bad::without_fences> handshake;
  void owner() { handshake.submit(); }
  void other() { handshake.wait_for_work(); }
  void end() {}
};

template <class Body>
struct Suite : rl::test_suite<Suite<Body>, 2> {
  std::unique_ptr<Body> body;

  void before() { body = std::make_unique<Body>(); }
  void thread(unsigned index) { index == 0 ? body->owner() : body->other(); }
  void after() {
    body->end();
    body.reset();
  }
};

struct Silence : std::streambuf {
  int overflow(int character) override { return character; }
};

template <class Body>
std::uint64_t until_found(std::uint64_t start, std::uint64_t limit) {
  static Silence silence;
  static std::ostream nowhere(&silence);
  rl::test_params params;
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;
  params.search_type = rl::sched_random;
  params.initial_state = std::to_string(start);
  params.iteration_count = start + limit;
  rl::simulate<Suite<Body>>(params);

  return params.test_result == rl::test_result_success ? limit + 1
                                                       : params.stop_iteration - start + 1;
}

template <class Body>
void row(const char* name, unsigned starts, std::uint64_t limit) {
  std::vector<std::uint64_t> found;
  for (unsigned start = 0; start < starts; ++start) {
    found.push_back(until_found<Body>(1 + start * std::uint64_t{1'000'000}, limit));
  }
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  std::printf("%-30s%s%llu\n", name, *middle > limit ? ">" : "",
              static_cast<unsigned long long>(std::min(*middle, limit)));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto starts = static_cast<unsigned>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 15);
  const std::uint64_t limit = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  if (starts == 0 || limit == 0) return 2;
  std::printf("relacy random: executions until found, median of %u starting points\n", starts);
  row<Batch<false>>("known_bad_batch_lost", starts, limit);
  row<Batch<true>>("known_bad_batch_twice", starts, limit);
  row<Narrow>("known_bad_narrow_index", starts, limit);
  row<Park>("known_bad_park_handshake", starts, limit);
  row<Plain<known_bad::relaxed_pop_store, 1>>("known_bad_relaxed_pop_store", starts, limit);
  row<Growing<known_bad::ring_read_once>>("known_bad_ring_read_once", starts, limit);
  row<Growing<known_bad::ring_published_relaxed>>("known_bad_ring_relaxed", starts, limit);
  row<Plain<known_bad::tail_before_slot, 0>>("known_bad_tail_before_slot", starts, limit);
  return 0;
}
