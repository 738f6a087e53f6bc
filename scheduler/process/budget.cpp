#include <heddle/scheduler/process/budget.hpp>

#include <algorithm>
#include <memory>

namespace heddle::inline HEDDLE_ON {

namespace {

bool exceeds(std::uint64_t used, std::uint64_t more, std::uint64_t most) {
  return used > most || more > most - used;
}

}  // namespace

void Reservation::give_back() noexcept {
  const std::unique_ptr<Record> record(std::exchange(record_, nullptr));
  record->table->give_back(*record);
  record->table->unreference();
}

TopicBudgets::Entry* TopicBudgets::find(Topic topic) {
  const auto found = std::find_if(topics_.begin(), topics_.end(),
                                  [topic](const Entry& entry) { return entry.topic == topic; });
  return found == topics_.end() ? nullptr : &*found;
}

TopicBudgets::Decision TopicBudgets::admit(std::uint32_t generation, const Message& message) {
  if (generation < generation_) return {Answer::stale, {}};
  if (generation > generation_) {  // the first accounted message of a new occupant
    topics_.clear();
    generation_ = generation;
  }
  Entry* entry = find(message.topic);
  if (entry != nullptr && entry->exhausted) return {Answer::discarded, {}};
  const bool accounted = message.limit.set() && !message.terminal;
  if (!accounted) return {Answer::admitted, {}};

  // Everything that can throw comes before the first change that counts.
  if (entry == nullptr) {
    topics_.push_back(Entry{.topic = message.topic, .limit = {}});
    entry = &topics_.back();
  }
  const std::uint64_t bytes = message.bytes != 0 ? message.bytes : message.payload.bytes();
  auto record = std::make_unique<Reservation::Record>(
      Reservation::Record{this, generation, message.topic, bytes});

  entry->limit.items_max = std::min(entry->limit.items_max, message.limit.items_max);
  entry->limit.bytes_max = std::min(entry->limit.bytes_max, message.limit.bytes_max);
  if (exceeds(entry->items, 1, entry->limit.items_max) ||
      exceeds(entry->bytes, bytes, entry->limit.bytes_max)) {
    entry->exhausted = true;
    return {Answer::overflow, {}};
  }
  entry->items += 1;
  entry->bytes += bytes;
  // relaxed: made by a thread that holds the mutex, and the slot's reference keeps the table alive.
  references_.fetch_add(1, sync::memory_order_relaxed);
  return {Answer::admitted, Reservation(record.release())};
}

void TopicBudgets::forget_overflow(std::uint32_t generation, Topic topic) {
  if (generation != generation_) return;
  if (Entry* const entry = find(topic)) entry->exhausted = false;
}

void TopicBudgets::give_back(const Reservation::Record& record) {
  const std::lock_guard lock(mutex_);
  if (record.generation != generation_) return;  // of an occupant that is gone
  Entry* const entry = find(record.topic);
  HEDDLE_ASSERT(entry != nullptr, "I2");
  HEDDLE_ASSERT(entry->items >= 1, "I2");
  HEDDLE_ASSERT(entry->bytes >= record.bytes, "I2");
  entry->items -= 1;
  entry->bytes -= record.bytes;
}

void TopicBudgets::unreference() {
  // acq_rel: everything that other holders did with the table comes before its destruction.
  const std::uint32_t before = references_.fetch_sub(1, sync::memory_order_acq_rel);
  HEDDLE_ASSERT(before >= 1, "I4");
  if (before == 1) delete this;
}

}  // namespace heddle::inline HEDDLE_ON
