#include "generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace heddle::litmus {

namespace {

/// splitmix64: the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  int below(int n) noexcept { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) noexcept { return low + below(high - low + 1); }
  bool percent(int chance) noexcept { return below(100) < chance; }
  template <class T>
  T pick(std::initializer_list<T> choices) noexcept {
    return choices.begin()[below(static_cast<int>(choices.size()))];
  }

 private:
  std::uint64_t state_;
};

class Generator {
 public:
  Generator(std::uint64_t seed, Flavour flavour) : random_(seed), flavour_(flavour) {}

  Program make() {
    Program program;
    locations_ = locations();
    const int threads = random_.percent(45) ? 2 : random_.percent(75) ? 3 : 4;
    // The larger of two draws: small programs show little.
    const int most = operations_max(threads);
    const int operations =
        std::max(random_.between(threads + 1, most), random_.between(threads + 1, most));
    program.threads.resize(static_cast<std::size_t>(threads));
    for (int i = 0; i < operations; ++i) {
      // Every thread gets one operation, the others fall where they fall.
      const int t = i < threads ? i : random_.below(threads);
      Thread& thread = program.threads[static_cast<std::size_t>(t)];
      // A fence orders nothing at the start of a thread or next to another fence.
      may_fence_ = !thread.empty() && thread.back().kind != Kind::fence;
      thread.push_back(operation());
    }
    if (flavour_ == Flavour::waits || (flavour_ == Flavour::cells && random_.percent(40))) {
      add_locks(program);
    }
    return program;
  }

 private:
  /// Weak behaviour takes two locations; chains of updates are longest on one.
  int locations() noexcept {
    if (flavour_ == Flavour::chains) return random_.percent(40) ? 1 : 2;
    const int dice = random_.below(100);
    return dice < 12 ? 1 : dice < 85 ? 2 : 3;
  }

  /// Executions multiply when all operations meet at one location or all read and write.
  int operations_max(int threads) const noexcept {
    if (flavour_ == Flavour::waits || flavour_ == Flavour::cells || locations_ == 1) return 7;
    if (flavour_ == Flavour::chains) return 8;
    return threads == 2 ? 10 : 9;
  }

  Operation operation() {
    switch (flavour_) {
      case Flavour::any:
        break;
      case Flavour::seq_cst:
        if (may_fence_ && random_.percent(15)) return fence();
        break;
      case Flavour::chains:
        if (random_.percent(60)) return update();
        break;
      case Flavour::fences:
        if (may_fence_ && random_.percent(50)) return fence();
        break;
      case Flavour::waits:
        if (random_.percent(30)) return await();
        break;
      case Flavour::cells:
        if (random_.percent(40)) return cell();
        if (random_.percent(25)) return await();
        break;
    }
    const int dice = random_.below(100);
    if (dice < 38) return access(Kind::load);
    if (dice < 70) return access(Kind::store);
    if (dice < 93 || !may_fence_ || flavour_ == Flavour::fences) return update();
    return fence();
  }

  Operation update() {
    return access(random_.pick({Kind::exchange, Kind::fetch_add, Kind::fetch_add,
                                Kind::compare_exchange, Kind::compare_exchange}));
  }

  Operation access(Kind kind) {
    Operation result;
    result.kind = kind;
    result.location = integer_locations[static_cast<std::size_t>(random_.below(locations_))];
    result.order = order(kind);
    if (kind != Kind::load) result.value = random_.between(1, 3);
    if (kind == Kind::fetch_add) result.value = random_.pick({1, 1, 2, -1});
    if (kind == Kind::compare_exchange) result.expected = random_.between(0, 2);
    return result;
  }

  Operation await() {
    Operation result = access(Kind::load);
    result.kind = random_.pick({Kind::await_equal, Kind::await_not_equal});
    // What an assumption cuts off may have had a race; so not where races are asked for.
    if (flavour_ == Flavour::waits && random_.percent(25)) result.kind = Kind::assume_equal;
    const bool equal = result.kind != Kind::await_not_equal;
    result.value = equal ? random_.between(0, 2) : random_.below(2);
    return result;
  }

  Operation cell() {
    Operation result;
    result.kind = random_.pick({Kind::cell_read, Kind::cell_write});
    result.location = cell_locations[static_cast<std::size_t>(random_.percent(75) ? 0 : 1)];
    result.order = std::memory_order_relaxed;
    return result;
  }

  Operation fence() {
    Operation result;
    result.kind = Kind::fence;
    result.order = flavour_ == Flavour::seq_cst && random_.percent(70)
                       ? std::memory_order_seq_cst
                       : random_.pick({std::memory_order_acquire, std::memory_order_release,
                                       std::memory_order_acq_rel, std::memory_order_seq_cst});
    return result;
  }

  std::memory_order order(Kind kind) {
    if (flavour_ == Flavour::seq_cst && random_.percent(65)) return std::memory_order_seq_cst;
    if (flavour_ == Flavour::fences && random_.percent(75)) return std::memory_order_relaxed;
    if (kind == Kind::load) {
      return random_.pick(
          {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_seq_cst});
    }
    if (kind == Kind::store) {
      return random_.pick(
          {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst});
    }
    return random_.pick({std::memory_order_relaxed, std::memory_order_acquire,
                         std::memory_order_release, std::memory_order_acq_rel,
                         std::memory_order_seq_cst});
  }

  /// Puts parts of some threads between lock and unlock, sometimes two locks inside each other.
  void add_locks(Program& program) {
    int left = 3;
    for (Thread& thread : program.threads) {
      if (left == 0 || random_.percent(30)) continue;
      --left;
      const char mutex = mutex_locations[static_cast<std::size_t>(random_.percent(85) ? 0 : 1)];
      const auto length = static_cast<int>(thread.size());
      const int from = random_.between(0, length);
      const int to = random_.between(from, length);
      thread.insert(thread.begin() + to, {Kind::unlock, mutex, 0, 0, std::memory_order_release});
      thread.insert(thread.begin() + from, {Kind::lock, mutex, 1, 0, std::memory_order_acquire});
      if (left > 0 && random_.percent(15)) {
        --left;
        const char other = mutex == 'm' ? 'n' : 'm';
        thread.insert(thread.begin() + from + 1,
                      {{Kind::lock, other, 1, 0, std::memory_order_acquire},
                       {Kind::unlock, other, 0, 0, std::memory_order_release}});
      }
    }
  }

  Random random_;
  Flavour flavour_;
  int locations_ = 2;
  bool may_fence_ = false;
};

}  // namespace

Flavour flavour_of(std::uint64_t seed) noexcept {
  return static_cast<Flavour>(seed % static_cast<std::uint64_t>(flavours));
}

Program generate_program(std::uint64_t seed) { return generate_program(seed, flavour_of(seed)); }

Program generate_program(std::uint64_t seed, Flavour flavour) {
  Program program = Generator(seed, flavour).make();
  program.name = fmt::format("seed {}", seed);
  return program;
}

}  // namespace heddle::litmus
