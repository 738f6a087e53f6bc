// One T per thread and slot, on real threads.
//
// A slot has a number that is never given twice. Each thread has a table from numbers to its
// objects; the object used last is remembered apart, so that the usual get() is one thread-local
// access and one comparison.
//
// Threads:    get() by any thread, for its own object, but not from the destructor of a
//             thread-local object. Construction and destruction as any object's; a thread may end
//             while the slot is destroyed.
// State:      slot_objects: the live objects of one slot, shared by the slot and by each object.
//             slot_table: what one thread has. Both own the objects.
// Invariants: I1 an object is in its slot's list until the slot or the thread takes it out, under
//                the list's mutex; who took it out destroys the value
//             I2 an entry whose slot is gone is never found, as numbers do not come back; it is
//                dropped when the thread next uses a new slot
// Progress:   get() wait-free but for a thread's first use of a slot and for changes between slots.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::inline on_std::sync {

namespace detail {

class slot_object;

struct slot_objects {
  std::mutex mutex;
  bool closed = false;
  std::vector<std::shared_ptr<slot_object>> live;
};

class slot_object {
 public:
  explicit slot_object(std::shared_ptr<slot_objects> all) : all_(std::move(all)) {}
  virtual ~slot_object() = default;
  slot_object(const slot_object&) = delete;
  slot_object& operator=(const slot_object&) = delete;

  virtual void end() noexcept = 0;  ///< destroys the value

  bool slot_is_gone() const {
    const std::lock_guard lock(all_->mutex);
    return all_->closed;
  }
  /// True for the one caller that has to end the value (I1).
  bool take_out() {
    const std::lock_guard lock(all_->mutex);
    return std::erase_if(all_->live, [this](const auto& other) { return other.get() == this; }) > 0;
  }

 private:
  std::shared_ptr<slot_objects> all_;
};

/// What get() looks at first. Trivial, so that reaching it costs no initialisation check.
struct slot_entry {
  std::uint64_t number;
  void* value;
};
inline thread_local constinit slot_entry recent_slot{0, nullptr};

class slot_table {
 public:
  static slot_table& of_this_thread() {
    thread_local slot_table table;
    return table;
  }

  void* find(std::uint64_t number) const {
    for (const auto& [entry, object] : entries_) {
      if (entry.number == number) return entry.value;
    }
    return nullptr;
  }

  void add(slot_entry entry, std::shared_ptr<slot_object> object) {
    std::erase_if(entries_, [](const auto& old) { return old.second->slot_is_gone(); });  // I2
    entries_.emplace_back(entry, std::move(object));
  }

  ~slot_table() {
    recent_slot = {0, nullptr};
    for (const auto& [entry, object] : entries_) {
      if (object->take_out()) object->end();
    }
  }

 private:
  std::vector<std::pair<slot_entry, std::shared_ptr<slot_object>>> entries_;
};

inline std::uint64_t next_slot_number() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace detail

template <class T>
class thread_slot {
 public:
  thread_slot()
      : number_(detail::next_slot_number()), all_(std::make_shared<detail::slot_objects>()) {}
  thread_slot(const thread_slot&) = delete;
  thread_slot& operator=(const thread_slot&) = delete;

  ~thread_slot() {
    std::vector<std::shared_ptr<detail::slot_object>> left;
    {
      const std::lock_guard lock(all_->mutex);
      all_->closed = true;
      left.swap(all_->live);
    }
    for (const auto& object : left) object->end();
  }

  T& get() {
    detail::slot_entry& recent = detail::recent_slot;
    if (recent.number != number_) [[unlikely]]
      recent = {number_, find_or_make()};
    return *static_cast<T*>(recent.value);
  }

 private:
  struct holder final : detail::slot_object {
    using slot_object::slot_object;
    void end() noexcept override { value.reset(); }
    std::optional<T> value{std::in_place};
  };

  void* find_or_make() {
    detail::slot_table& table = detail::slot_table::of_this_thread();
    if (void* const found = table.find(number_)) return found;
    auto made = std::make_shared<holder>(all_);
    void* const value = &*made->value;
    table.add({number_, value}, made);
    const std::lock_guard lock(all_->mutex);
    all_->live.push_back(std::move(made));
    return value;
  }

  std::uint64_t number_;
  std::shared_ptr<detail::slot_objects> all_;
};

}  // namespace heddle::inline on_std::sync
