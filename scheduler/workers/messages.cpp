// Sending, completing, cancelling: everything that puts events into mailboxes or throws them away.
#include <mutex>
#include <new>
#include <utility>

#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

using Word = MailboxWord<>;

void Core::after_push(Worker* self, ControlBlock& block, push_result result) {
  count(self, &WorkerCounters::accepted, &SharedCounters::accepted);
  if (result == push_result::make_ready) schedule(self, block);
}

SendResult Core::deliver(Worker* self, ControlBlock& block, std::uint32_t generation, Event&& event,
                         std::uint64_t flags, std::uint64_t unwanted) {
  EventNode& node = take_node(self);
  node.event.with([&event](Event& place) { place = std::move(event); });
  const push_result result =
      block.mailbox.push(generation, node.pool_index, node.next, flags, unwanted);
  if (result == push_result::diverted || result == push_result::refused) {
    give_node(self, node);
    return result == push_result::diverted ? SendResult{Admission::dropped, Errc::none}
                                           : SendResult::refused(Errc::no_such_process);
  }
  after_push(self, block, result);
  return {};
}

SendResult Core::send(Pid from, Pid to, Message&& message) {
  if (message.topic >= topics::reserved) return SendResult::refused(Errc::invalid_argument);
  ControlBlock* const block = blocks.find(to.slot);
  if (block == nullptr) return SendResult::refused(Errc::no_such_process);
  const Word seen = block->mailbox.look();
  // A look that is out of date does no harm: the push decides.
  if (!seen.live(to.generation)) return SendResult::refused(Errc::no_such_process);
  Worker* const self = current();
  try {
    const bool accounted = message.limit.set() && !message.terminal;
    if (accounted || seen.has(Word::budgeted)) [[unlikely]] {
      return send_budgeted(self, *block, from, to, message);
    }
    EventNode& node = take_node(self);
    node.event.with([&](Event& place) { place.become(std::move(message), from); });
    const push_result result = block->mailbox.push(to.generation, node.pool_index, node.next,
                                                   Word::no_flag, Word::budgeted);
    if (result == push_result::accepted || result == push_result::make_ready) [[likely]] {
      after_push(self, *block, result);
      return {};
    }
    // Refused, or the process got budgets between the look and the push.
    node.event.with([&](Event& place) { message.payload = std::move(place.payload()); });
    give_node(self, node);
    if (result == push_result::refused) return SendResult::refused(Errc::no_such_process);
    return send_budgeted(self, *block, from, to, message);
  } catch (const std::bad_alloc&) {
    return SendResult::refused(Errc::out_of_memory);
  }
}

SendResult Core::send(Pid from, Pid to, Message&& message, const CancellationToken& token) {
  if (token.cancelled()) return SendResult::refused(Errc::cancelled);
  ControlBlock* const block = blocks.find(to.slot);
  if (block == nullptr || !block->mailbox.look().live(to.generation)) {
    return SendResult::refused(Errc::no_such_process);
  }
  if (token.cancelled()) return SendResult::refused(Errc::cancelled);
  return send(from, to, std::move(message));
}

SendResult Core::complete(Pid to, Event&& completion) {
  ControlBlock* const block = blocks.find(to.slot);
  if (block == nullptr) return SendResult::refused(Errc::no_such_process);
  try {
    return deliver(current(), *block, to.generation, std::move(completion), Word::no_flag,
                   Word::no_flag);
  } catch (const std::bad_alloc&) {
    return SendResult::refused(Errc::out_of_memory);
  }
}

bool Core::cancel(Pid pid) {
  ControlBlock* const block = blocks.find(pid.slot);
  if (block == nullptr || !block->mailbox.look().live(pid.generation)) return false;
  try {
    Message message(topics::cancel, Payload());
    const SendResult result = deliver(current(), *block, pid.generation,
                                      Event::of(std::move(message), Pid{}, Reservation()),
                                      Word::cancelled, Word::cancelled);
    return result.admission == Admission::accepted;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TopicBudgets& Core::budgets_of(ControlBlock& block) {
  // acquire, here and where the exchange fails: the table's construction, from the exchange's
  // release.
  TopicBudgets* table = block.budgets.load(sync::memory_order_acquire);
  if (table != nullptr) return *table;
  auto* const mine = new TopicBudgets;
  // The table stays with the slot, so this happens once in the slot's life.
  if (block.budgets.compare_exchange_strong(table, mine, sync::memory_order_release,
                                            sync::memory_order_acquire)) {
    return *mine;
  }
  mine->retire();
  return *table;
}

SendResult Core::drop(Worker* self, ControlBlock& block, std::uint32_t generation) {
  const push_result result = block.mailbox.mark(generation, Word::no_flag);
  if (result == push_result::refused) return SendResult::refused(Errc::no_such_process);
  count(self, &WorkerCounters::dropped, &SharedCounters::dropped);
  if (result == push_result::make_ready) schedule(self, block);
  return {Admission::dropped, Errc::none};
}

SendResult Core::send_budgeted(Worker* self, ControlBlock& block, Pid from, Pid to,
                               Message& message) {
  TopicBudgets& table = budgets_of(block);
  // Proves that the process is live, and stops pushes that do not ask the table.
  if (block.mailbox.mark_quietly(to.generation, Word::budgeted) == push_result::refused) {
    return SendResult::refused(Errc::no_such_process);
  }
  // Nodes first: no decision is taken that could then not be carried out.
  EventNode& node = take_node(self);
  EventNode* second = nullptr;
  try {
    second = &take_node(self);
  } catch (...) {
    give_node(self, node);
    throw;
  }
  const Topic topic = message.topic;
  TopicBudgets::Answer answer{};
  push_result result = push_result::refused;
  {
    // What a reservation that is given back again locks is this mutex: events are destroyed after.
    const std::lock_guard lock(table.mutex());
    TopicBudgets::Decision decision = table.admit(to.generation, message);
    answer = decision.answer;
    if (answer == TopicBudgets::Answer::admitted) {
      node.event.write(Event::of(std::move(message), from, std::move(decision.reservation)));
      result = block.mailbox.push(to.generation, node.pool_index, node.next, Word::no_flag,
                                  Word::no_flag);
    } else if (answer == TopicBudgets::Answer::overflow) {
      node.event.write(Event::about(EventKind::limit_exceeded, topic));
      second->event.write(Event::about(EventKind::terminal, topic));
      second->next.write(node.pool_index);
      result = block.mailbox.push(to.generation, second->pool_index, node.next, Word::no_flag,
                                  Word::no_flag);
      if (result == push_result::refused) table.forget_overflow(to.generation, topic);
    }
  }
  const bool refused = result == push_result::refused;
  if (refused || answer != TopicBudgets::Answer::overflow) give_node(self, *second);
  if (refused) give_node(self, node);
  if (answer == TopicBudgets::Answer::discarded) return drop(self, block, to.generation);
  if (refused) return SendResult::refused(Errc::no_such_process);

  const bool overflow = answer == TopicBudgets::Answer::overflow;
  count(self, &WorkerCounters::accepted, &SharedCounters::accepted, overflow ? 2 : 1);
  if (overflow) count(self, &WorkerCounters::dropped, &SharedCounters::dropped);
  if (result == push_result::make_ready) schedule(self, block);
  return {overflow ? Admission::dropped : Admission::accepted, Errc::none};
}

void Core::discard(Worker* self, std::uint32_t newest, const ExitReport& report) {
  std::uint64_t count_discarded = 0;
  while (newest != 0) {
    EventNode& node = events.at(newest);
    newest = node.next.read();
    const bool watch =
        node.event.with([](const Event& event) { return event.kind() == EventKind::watch; });
    if (watch) {
      answer(self, node, report);
    } else {
      ++count_discarded;
      give_node(self, node);
    }
  }
  if (count_discarded != 0) {
    count(self, &WorkerCounters::discarded, &SharedCounters::discarded, count_discarded);
  }
}

}  // namespace heddle::inline HEDDLE_ON
