// W2 yielding, W3 ping-pong, W4 ring, W5 fan-in and many to many.
#include <vector>

#include "bench_process.hpp"

namespace heddle_bench {

using namespace heddle;

namespace {

struct Finish {
  std::atomic<unsigned long> left;
  Gate done{};
  void one() {
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) done.open();
  }
};

class Yielder : public BenchProcess {
 public:
  Yielder(Finish& finish, unsigned long yields) : finish_(finish), left_(yields) {}
  void step(Events&, StepOutput& output) override {
    if (left_ == 0) {
      finish_.one();
      output.done();
      return;
    }
    --left_;
    output.again();
  }

 private:
  Finish& finish_;
  unsigned long left_;
};

Figures yields(unsigned workers, unsigned long tasks, unsigned long each) {
  Finish finish{.left = tasks};
  Running scheduler(workers);
  const long began = now_ns();
  for (unsigned long i = 0; i < tasks; ++i) must(scheduler->spawn<Yielder>({}, {}, finish, each));
  finish.done.wait();
  const double total = static_cast<double>(now_ns() - began);
  return {{"ns_per_switch", total / static_cast<double>(tasks * each)}};
}

/// Sends what it gets to the next one, counted down; ends at zero.
class Relay : public BenchProcess {
 public:
  explicit Relay(Finish& finish) : finish_(finish) {}
  void step(Events& events, StepOutput&) override {
    for (Event& event : events) {
      if (Pid* const next = event.payload().get<Pid>()) {
        next_ = *next;
        continue;
      }
      if (event.is_cancel()) continue;
      const unsigned long hops = *event.payload().get<unsigned long>();
      if (hops == 0) {
        finish_.one();
        return;
      }
      (void)self().send(next_, {0, hops - 1});
    }
  }

 private:
  Finish& finish_;
  Pid next_;
};

Figures relay(unsigned workers, unsigned long size, unsigned long hops) {
  Finish finish{.left = 1};
  Running scheduler(workers);
  std::vector<Pid> pids;
  for (unsigned long i = 0; i < size; ++i) {
    pids.push_back(must(scheduler->spawn<Relay>({}, {}, finish)));
  }
  for (unsigned long i = 0; i < size; ++i) {
    (void)scheduler->send(pids[i], {0, pids[(i + 1) % size]});
  }
  sync::sleep_for(std::chrono::milliseconds(20));
  const long began = now_ns();
  (void)scheduler->send(pids[0], {0, hops});
  finish.done.wait();
  return {{"ns_per_msg", static_cast<double>(now_ns() - began) / static_cast<double>(hops)}};
}

class Sink : public BenchProcess {
 public:
  Sink(Finish& finish, unsigned long expected) : finish_(finish), left_(expected) {}
  void step(Events& events, StepOutput& output) override {
    for (Event& event : events) {
      if (!event.is_cancel()) --left_;
    }
    if (left_ != 0) return;
    finish_.one();
    output.done();
  }

 private:
  Finish& finish_;
  unsigned long left_;
};

class Source : public BenchProcess {
 public:
  Source(Pid sink, unsigned long count) : sink_(sink), count_(count) {}
  void step(Events&, StepOutput& output) override {
    for (unsigned long i = 0; i < count_; ++i) (void)self().send(sink_, {0, i});
    output.done();
  }

 private:
  const Pid sink_;
  const unsigned long count_;
};

/// From its first message on sends to the others, `share` messages in a step, and receives what
/// they send it.
class Peer : public BenchProcess {
 public:
  struct Plan {
    Finish& finish;
    const std::vector<Pid>& all;
    unsigned long share;
  };
  Peer(const Plan& plan, unsigned long number, unsigned long expected)
      : plan_(plan), random_(number + 1), left_(expected) {}

  void step(Events& events, StepOutput& output) override {
    for (Event& event : events) {
      if (event.topic() == begin)
        sending_ = true;
      else if (!event.is_cancel())
        --left_;
    }
    if (!sending_) return;
    for (unsigned long i = 0; i < plan_.share && sent_ < plan_.all.size(); ++i) {
      (void)self().send(plan_.all[random_.next() % plan_.all.size()], {0, sent_++});
    }
    if (sent_ < plan_.all.size()) {
      output.again();
    } else if (left_ == 0) {
      plan_.finish.one();
      output.done();
    }
  }

  static constexpr Topic begin = 1;

 private:
  const Plan& plan_;
  Lcg random_;
  unsigned long left_;
  unsigned long sent_ = 0;
  bool sending_ = false;
};

}  // namespace

Figures yield_many(unsigned workers, unsigned long count) {
  return yields(workers, 1000, count / 1000);
}
Figures yield_one(unsigned workers, unsigned long count) { return yields(workers, 1, count); }
Figures ping_pong(unsigned workers, unsigned long count) { return relay(workers, 2, count); }
Figures ring(unsigned workers, unsigned long count) { return relay(workers, 1000, count); }

Figures fan_in(unsigned workers, unsigned long count) {
  constexpr unsigned long sources = 100;
  Finish finish{.left = 1};
  Running scheduler(workers);
  const Pid sink = must(scheduler->spawn<Sink>({}, {}, finish, count));
  const long began = now_ns();
  for (unsigned long i = 0; i < sources; ++i) {
    must(scheduler->spawn<Source>({}, {}, sink, count / sources));
  }
  finish.done.wait();
  return {{"ns_per_msg", static_cast<double>(now_ns() - began) / static_cast<double>(count)}};
}

namespace {

Figures exchange(unsigned workers, unsigned long count, unsigned long share) {
  constexpr unsigned long peers = 1000;
  require(count == peers * peers, "W5b is defined for 1,000 times 1,000 messages");
  std::vector<unsigned long> expected(peers);
  for (unsigned long i = 0; i < peers; ++i) {
    Lcg random(i + 1);
    for (unsigned long j = 0; j < peers; ++j) ++expected[random.next() % peers];
  }
  Finish finish{.left = peers};
  std::vector<Pid> pids;
  const Peer::Plan plan{finish, pids, share};
  Running scheduler(workers);
  pids.reserve(peers);
  for (unsigned long i = 0; i < peers; ++i) {
    pids.push_back(must(scheduler->spawn<Peer>({}, {}, plan, i, expected[i])));
  }
  const long began = now_ns();
  for (const Pid pid : pids) (void)scheduler->send(pid, {Peer::begin, Payload()});
  finish.done.wait();
  return {{"ns_per_msg", static_cast<double>(now_ns() - began) / static_cast<double>(count)}};
}

}  // namespace

Figures many_to_many(unsigned workers, unsigned long count) {
  return exchange(workers, count, 1000);
}
Figures many_to_many_shared(unsigned workers, unsigned long count) {
  return exchange(workers, count, 20);
}

}  // namespace heddle_bench
