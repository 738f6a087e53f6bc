// W1 spawn and join, W6 skynet, W11 spread of work.
#include "bench_process.hpp"

namespace heddle_bench {

using namespace heddle;

namespace {

struct Join {
  std::atomic<unsigned long> left;
  long began = 0;
  long spawned = 0;
  long ended = 0;
  Gate done{};
};

class Leaf : public Process {
 public:
  explicit Leaf(Join& join) : join_(join) {}
  Error init(Context, std::string_view, Payload) override { return {}; }
  void step(Events&, StepOutput& output) override {
    output.done();
    if (join_.left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      join_.ended = now_ns();
      join_.done.open();
    }
  }

 private:
  Join& join_;
};

unsigned long work(unsigned rounds) {
  unsigned long x = 88172645463325252UL;
  for (unsigned i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
  return x;
}

class WorkingLeaf : public Process {
 public:
  static constexpr unsigned rounds = 700;  // about a microsecond
  explicit WorkingLeaf(Join& join) : join_(join) {}
  Error init(Context, std::string_view, Payload) override { return {}; }
  void step(Events&, StepOutput& output) override {
    require(work(rounds) != 1, "the work went wrong");
    output.done();
    if (join_.left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      join_.ended = now_ns();
      join_.done.open();
    }
  }

 private:
  Join& join_;
};

template <class T>
class Root : public BenchProcess {
 public:
  Root(Join& join, unsigned long count) : join_(join), count_(count) {}
  void step(Events&, StepOutput& output) override {
    join_.began = now_ns();
    for (unsigned long i = 0; i < count_; ++i) must(self().template spawn<T>({}, {}, join_));
    join_.spawned = now_ns();
    output.done();
  }

 private:
  Join& join_;
  const unsigned long count_;
};

template <class T>
Figures spawn_all(unsigned workers, unsigned long count) {
  Join join{.left = count};
  Running scheduler(workers);
  must(scheduler->spawn<Root<T>>({}, {}, join, count));
  join.done.wait();
  const double total = static_cast<double>(join.ended - join.began);
  return {{"ns_per_task", total / static_cast<double>(count)},
          {"spawn_ns", static_cast<double>(join.spawned - join.began) / static_cast<double>(count)},
          {"ms", total / 1e6}};
}

struct SkynetEnd {
  long sum = 0;
  Gate done{};
};

class Skynet : public BenchProcess {
 public:
  Skynet(Pid parent, long number, long size, SkynetEnd* end)
      : parent_(parent), number_(number), size_(size), end_(end) {}

  void step(Events& events, StepOutput& output) override {
    if (size_ == 1) {
      tell(number_);
      output.done();
      return;
    }
    if (left_ == 0) {
      left_ = children;
      const long share = size_ / children;
      for (long i = 0; i < children; ++i) {
        must(self().spawn<Skynet>({}, {}, self().self(), number_ + i * share, share, nullptr));
      }
    }
    for (Event& event : events) {
      sum_ += *event.payload().get<long>();
      --left_;
    }
    if (left_ != 0) return;
    tell(sum_);
    output.done();
  }

 private:
  static constexpr long children = 10;

  void tell(long result) {
    if (parent_) {
      require(static_cast<bool>(self().send(parent_, {0, result})), "a parent is gone");
    } else {
      end_->sum = result;
      end_->done.open();
    }
  }

  const Pid parent_;
  const long number_;
  const long size_;
  SkynetEnd* const end_;
  long sum_ = 0;
  long left_ = 0;
};

}  // namespace

Figures spawn_join(unsigned workers, unsigned long count) {
  return spawn_all<Leaf>(workers, count);
}

Figures work_spread(unsigned workers, unsigned long count) {
  return spawn_all<WorkingLeaf>(workers, count);
}

Figures skynet(unsigned workers, unsigned long count) {
  SkynetEnd end;
  Running scheduler(workers);
  const long began = now_ns();
  must(scheduler->spawn<Skynet>({}, {}, Pid{}, 0L, static_cast<long>(count), &end));
  end.done.wait();
  const double total = static_cast<double>(now_ns() - began);
  const long leaves = static_cast<long>(count);
  require(end.sum == leaves * (leaves - 1) / 2, "skynet: a wrong sum");
  return {{"ns_per_task", total / (static_cast<double>(count) * 1.111111)}, {"ms", total / 1e6}};
}

}  // namespace heddle_bench
