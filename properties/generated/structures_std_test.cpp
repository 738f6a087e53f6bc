// Stateful properties: calls that rapidcheck draws, one after the other, against plain models. The
// deque has its own in queues/deque_std_test.cpp.
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <heddle/scheduler/process/mailbox.hpp>
#include <heddle/scheduler/queues/global_queue.hpp>
#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/scheduler/queues/pool.hpp>

namespace {

using namespace heddle;

using Calls = std::vector<std::uint8_t>;

struct Item : InjectLink {};

TEST(generated, inject_queue_follows_a_list) {
  EXPECT_TRUE(rc::check("inject queue follows a list", [](const Calls& calls) {
    std::vector<std::unique_ptr<Item>> all;
    std::deque<Item*> model;
    InjectQueue<Item> queue;
    for (const std::uint8_t call : calls) {
      if (call % 3 != 0) {
        all.push_back(std::make_unique<Item>());
        queue.push(*all.back());
        model.push_back(all.back().get());
      } else {
        std::array<Item*, 4> out{};
        const std::size_t wanted = 1 + call / 3 % out.size();
        const auto [result, count] = queue.pop_some(std::span(out).first(wanted));
        RC_ASSERT(count == std::min(wanted, model.size()));
        RC_ASSERT((result == inject_result::item) == (count != 0));
        RC_ASSERT(result != inject_result::retry);
        for (std::size_t i = 0; i < count; ++i, model.pop_front()) RC_ASSERT(out[i] == model[0]);
      }
      RC_ASSERT(queue.seems_empty() == model.empty());
    }
  }));
}

TEST(generated, global_queue_gives_shares_of_a_list) {
  EXPECT_TRUE(rc::check("global queue follows a list", [](const Calls& calls) {
    std::deque<int> model;
    GlobalQueue<int> queue;
    int next = 0;
    for (const std::uint8_t call : calls) {
      const std::size_t amount = 1 + call / 2 % 5;
      if (call % 2 == 0) {
        std::vector<int> items;
        for (std::size_t i = 0; i < amount; ++i) items.push_back(next++);
        queue.push_all(items);
        model.insert(model.end(), items.begin(), items.end());
      } else {
        std::array<int, 3> out{};
        const std::size_t share = std::max<std::size_t>(model.size() / amount, 1);
        const std::size_t count = queue.pop_share(out, amount);
        RC_ASSERT(count == std::min({share, model.size(), out.size()}));
        for (std::size_t i = 0; i < count; ++i, model.pop_front()) RC_ASSERT(out[i] == model[0]);
      }
      RC_ASSERT(queue.size() == model.size());
    }
  }));
}

struct Thing {
  explicit Thing(std::uint32_t index) : pool_index(index) {}
  sync::cell<std::uint32_t> pool_next{0};
  const std::uint32_t pool_index;
};
struct SmallChains : DefaultLimits {
  static constexpr std::uint32_t pool_chain = 3;
  static constexpr std::uint32_t slab_first_chunk = 4;
};

TEST(generated, pool_hands_each_object_to_one) {
  EXPECT_TRUE(rc::check("an object is in one place", [](const Calls& calls) {
    using ThingPool = Pool<Thing, SmallChains>;
    ThingPool pool;
    std::array<ThingPool::Magazine, 2> magazines;
    std::vector<Thing*> used;
    std::set<Thing*> in_use;
    for (const std::uint8_t call : calls) {
      const unsigned who = call / 4 % 3;  // two with magazines, one without
      if (call % 4 < 2) {
        Thing& thing = who == 2 ? pool.take() : pool.take(magazines[who]);
        RC_ASSERT(in_use.insert(&thing).second);
        RC_ASSERT(pool.find(thing.pool_index) == &thing);
        used.push_back(&thing);
      } else if (call % 4 == 2 && !used.empty()) {
        Thing* const thing = used[call % used.size()];
        std::erase(used, thing);
        in_use.erase(thing);
        if (who == 2)
          pool.give(*thing);
        else
          pool.give(magazines[who], *thing);
      } else if (who != 2) {
        pool.empty(magazines[who]);
      }
    }
  }));
}

/// What the mailbox word must say, as plain variables.
class MailboxModel {
 public:
  /// The call that `call` draws, on both, if it may be made now.
  void step(std::uint8_t call) {
    const bool owned = state_ == ProcessState::running;
    switch (call % 8) {
      case 0:
      case 1:
      case 2:
        push(call / 8 % 2 == 0 ? 0 : 1 + call / 16 % 2);
        break;
      case 3:
        kill(call / 8 % 2 == 0 ? 0 : 1);
        break;
      case 4:
        if (state_ == ProcessState::ready) begin();
        break;
      case 5:
        if (owned)
          let_go(std::array{ProcessState::ready, ProcessState::blocked,
                            ProcessState::idle}[call / 8 % 3]);
        break;
      case 6:
        if (owned) finish();
        break;
      default:
        occupy();
    }
    const MailboxWord<> word = mailbox_.look();
    RC_ASSERT(word.state() == state_);
    RC_ASSERT(word.generation() == generation_);
    RC_ASSERT(word.has(MailboxWord<>::killed) == killed_);
    RC_ASSERT(word.has(MailboxWord<>::wakeup) == wakeup_);
    RC_ASSERT(word.list() == newest_);
  }

 private:
  bool alive() const { return state_ != ProcessState::free && state_ != ProcessState::complete; }
  bool parked() const { return state_ == ProcessState::blocked || state_ == ProcessState::idle; }
  /// `behind`: for an occupant of so many lives ago.
  void push(std::uint32_t behind) {
    if (behind > generation_) return;
    const auto node = static_cast<std::uint32_t>(1 + events_++ % 200);
    sync::cell<std::uint32_t> link{0};
    const push_result result = mailbox_.push(generation_ - behind, node, link,
                                             MailboxWord<>::no_flag, MailboxWord<>::no_flag);
    if (!answered(result, behind)) return;
    RC_ASSERT(link.read() == newest_);
    newest_ = node;
    woken();
  }
  void kill(std::uint32_t behind) {
    if (behind > generation_) return;
    const push_result result = mailbox_.mark(generation_ - behind, MailboxWord<>::killed);
    if (!answered(result, behind)) return;
    killed_ = true;
    woken();
  }
  bool answered(push_result result, std::uint32_t behind) {
    const bool accepted = behind == 0 && alive();
    RC_ASSERT((result != push_result::refused) == accepted);
    RC_ASSERT((result == push_result::make_ready) == (accepted && parked()));
    return accepted;
  }
  void woken() {
    if (parked())
      state_ = ProcessState::ready;
    else if (state_ != ProcessState::ready)
      wakeup_ = true;
  }
  void begin() {
    RC_ASSERT(mailbox_.begin_run().list() == newest_);
    newest_ = 0;
    wakeup_ = false;
    state_ = ProcessState::running;
  }
  void let_go(ProcessState wanted) {
    const ProcessState now = mailbox_.let_go(wanted);
    RC_ASSERT(now == (wakeup_ || killed_ ? ProcessState::ready : wanted));
    wakeup_ = false;
    state_ = now;
  }
  void finish() {
    RC_ASSERT(mailbox_.finish() == newest_);
    newest_ = 0;
    state_ = ProcessState::complete;
  }
  void occupy() {
    if (state_ == ProcessState::complete) {
      RC_ASSERT(mailbox_.recycle());
      ++generation_;
      killed_ = wakeup_ = false;
      state_ = ProcessState::free;
    } else if (state_ == ProcessState::free) {
      RC_ASSERT(mailbox_.claim() == generation_);
      state_ = ProcessState::starting;
    } else if (state_ == ProcessState::starting) {
      mailbox_.open();
      wakeup_ = false;
      state_ = ProcessState::ready;
    }
  }

  Mailbox<> mailbox_;
  ProcessState state_ = ProcessState::free;
  std::uint32_t generation_ = 1;
  std::uint32_t newest_ = 0;
  std::uint64_t events_ = 0;
  bool killed_ = false;
  bool wakeup_ = false;
};

TEST(generated, mailbox_word_follows_its_table) {
  EXPECT_TRUE(rc::check("mailbox follows its table", [](const Calls& calls) {
    MailboxModel model;
    for (const std::uint8_t call : calls) model.step(call);
  }));
}

}  // namespace
