// Non-atomic accesses, and what is left when the body has returned.
//
// A cell keeps the epoch (thread, events before it) of its last write and of its last reads. The
// access at epoch e of thread t happens before the present moment of another thread when that
// thread's clock covers event e of t: everything that t publishes after the access, it publishes
// with an event of at least that index.

#include <dlfcn.h>

#include <string>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/inside.hpp>

namespace heddle::sim::engine {

namespace {

constexpr std::uint32_t live_cell = 0xce11'0001;
constexpr std::uint32_t dead_cell = 0xce11'dead;
constexpr thread_id several_readers = 0xffff'fffe;

std::string place(source_location site) {
  if (site.line() == 0) return "an unknown place";
  return source_name(site.file_name()) + ":" + std::to_string(site.line());
}

}  // namespace

const graph::tick* Execution::clock_of(const ModelThread& t) const noexcept {
  const event_id last = graph_->before(t.id, t.position);
  if (last == graph::no_event) return graph_->clocks().nothing();
  return graph_->clocks().row(last, graph::ClockRows::hb);
}

bool Execution::ordered(const ModelThread& t, thread_id other, std::uint32_t epoch) const noexcept {
  return other == t.id || clock_of(t)[other] > epoch;
}

void Execution::fail_race(std::string_view what, source_location earlier_site, thread_id earlier,
                          std::string_view earlier_what, source_location site) {
  const std::string first = "thread " + std::to_string(earlier) + ": " + std::string(earlier_what) +
                            " at " + place(earlier_site);
  const std::string second =
      "thread " + std::to_string(current_->id) + ": access at " + place(site);
  failure_.conflict = {first, second};
  fail(FailureKind::data_race, std::string(what) + " (" + first + "; " + second + ")", site);
}

void Execution::require_cell(runtime::cell_shadow& shadow, source_location site,
                             std::string_view what) {
  if (shadow.magic == live_cell) return;
  const runtime::Arena* const owner = arenas_.owner(&shadow);
  const runtime::Block* const block = owner != nullptr ? owner->find(&shadow) : nullptr;
  const bool freed = shadow.magic == dead_cell || (block != nullptr && !block->live);
  fail(freed ? FailureKind::use_after_free : FailureKind::uninitialised_read,
       std::string(what) + (freed ? " of a cell that has been destroyed or freed"
                                  : " of a cell that was never constructed"),
       site);
}

void Execution::cell_construct(runtime::cell_shadow& shadow, bool initialised,
                               source_location site) {
  shadow = {};
  shadow.magic = live_cell;
  shadow.writer = current_->id;
  shadow.write_epoch = current_->position;
  shadow.reader = nobody;
  shadow.initialised = initialised;
  shadow.write_site = site;
}

void Execution::cell_read(runtime::cell_shadow& shadow, source_location site) {
  const Inside inside(*this);
  ModelThread& t = *current_;
  require_cell(shadow, site, "read");
  if (!ordered(t, shadow.writer, shadow.write_epoch)) {
    fail_race("data race: a read is not ordered with a write", shadow.write_site, shadow.writer,
              shadow.initialised ? "write" : "construction", site);
  }
  if (!shadow.initialised) {
    fail(FailureKind::uninitialised_read, "read of a cell before its first write", site);
  }
  if (recording_) note(TraceStep::Kind::cell_read, site, {});
  if (shadow.reader == nobody || shadow.reader == t.id ||
      (shadow.reader != several_readers && ordered(t, shadow.reader, shadow.read_epoch))) {
    shadow.reader = t.id;
    shadow.read_epoch = t.position;
  } else {
    if (shadow.reader != several_readers) {
      if (readers_used_ == readers_.size()) readers_.emplace_back();
      auto& table = readers_[readers_used_];
      table.assign(live_threads_, 0);
      table[shadow.reader] = shadow.read_epoch + 1;
      shadow.reader = several_readers;
      shadow.read_epoch = static_cast<std::uint32_t>(readers_used_++);
    }
    auto& table = readers_[shadow.read_epoch];
    if (table.size() < live_threads_) table.resize(live_threads_, 0);
    table[t.id] = t.position + 1;
  }
  shadow.read_site = site;
}

void Execution::cell_write(runtime::cell_shadow& shadow, source_location site) {
  const Inside inside(*this);
  ModelThread& t = *current_;
  require_cell(shadow, site, "write");
  if (!ordered(t, shadow.writer, shadow.write_epoch)) {
    fail_race("data race: two writes are not ordered", shadow.write_site, shadow.writer,
              shadow.initialised ? "write" : "construction", site);
  }
  if (shadow.reader == several_readers) {
    const auto& table = readers_[shadow.read_epoch];
    for (thread_id reader = 0; reader < table.size(); ++reader) {
      if (table[reader] == 0 || ordered(t, reader, table[reader] - 1)) continue;
      fail_race("data race: a write is not ordered with a read", shadow.read_site, reader, "read",
                site);
    }
  } else if (shadow.reader != nobody && !ordered(t, shadow.reader, shadow.read_epoch)) {
    fail_race("data race: a write is not ordered with a read", shadow.read_site, shadow.reader,
              "read", site);
  }
  if (recording_) note(TraceStep::Kind::cell_write, site, {});
  shadow.writer = t.id;
  shadow.write_epoch = t.position;
  shadow.write_site = site;
  shadow.initialised = true;
  shadow.reader = nobody;
}

void Execution::cell_destroy(runtime::cell_shadow& shadow, source_location site) {
  cell_write(shadow, site);
  shadow.magic = dead_cell;
}

// The usual case of a destruction: all other threads have been joined. Objects are destroyed in
// rows, so the answer is kept until the thread does something or the graph grows.
bool Execution::is_after_everything() {
  const ModelThread& t = *current_;
  if (after_all_.thread == t.id && after_all_.position == t.position &&
      after_all_.size == graph_->size()) {
    return after_all_.answer;
  }
  const graph::tick* const clock = clock_of(t);
  bool answer = true;
  for (thread_id other = 0; other < graph_->threads() && answer; ++other) {
    answer = clock[other] >= graph_->thread(other).events.size();
  }
  after_all_ = {t.id, t.position, graph_->size(), answer};
  return answer;
}

void Execution::destroy(const void* address, runtime::location_id id, source_location site) {
  const Inside inside(*this);
  if (id >= locations_.size() || locations_[id].run != run_number_ ||
      locations_[id].address != address) {
    return;  // built outside of this execution
  }
  Location& location = locations_[id];
  if (location.destroyed) fail(FailureKind::double_free, "an atomic is destroyed twice", site);
  // A ticket is touched by the waiter's notifier without synchronisation, by design.
  if (location.role == runtime::location_role::ticket) {
    location.destroyed = true;
    return;
  }
  const auto& events = graph_->location(id);
  if ((events.co.empty() && events.reads.empty()) || is_after_everything()) {
    location.destroyed = true;
    return;
  }
  const graph::tick* const clock = clock_of(*current_);
  const auto require_before = [&](event_id access) {
    const Event& event = (*graph_)[access];
    if (memory::covers(clock, event)) return;
    // A trace holds what has been passed: an access that comes later fails where it is.
    if (recording_ && threads_[event.thread]->position <= event.index) return;
    failure_.conflict = {
        "thread " + std::to_string(event.thread) + ": access at " + place(event.site),
        "thread " + std::to_string(current_->id) +
            ": destruction of the object "
            "constructed at " +
            place(location.site)};
    fail(FailureKind::use_after_free,
         "an atomic is destroyed while another thread may still use it (" + failure_.conflict[0] +
             "; " + failure_.conflict[1] + ")",
         event.site);
  };
  for (const event_id write : events.co) require_before(write);
  for (const event_id read : events.reads) require_before(read);
  location.destroyed = true;
}

void Execution::check_leaks() {
  if (arenas_.live_blocks() == 0) return;
  for (std::size_t a = 0; a < live_threads_; ++a) {
    const runtime::Arena& arena = *threads_[a]->arena;
    // The report names the first one.
    const runtime::Block* first = nullptr;
    for (const runtime::Block* at = arena.last(); at != nullptr; at = runtime::Arena::before(at)) {
      if (at->live) first = at;
    }
    if (first != nullptr) {
      const runtime::Block& block = *first;
      Dl_info symbol{};
      std::string caller = "an unknown caller";
      if (dladdr(block.caller, &symbol) != 0) {
        // The file's name alone: a trace is the same wherever the program lies.
        const auto offset =
            static_cast<const char*>(block.caller) - static_cast<const char*>(symbol.dli_fbase);
        const std::string file = source_name(symbol.dli_fname);
        caller = (symbol.dli_sname != nullptr ? std::string(symbol.dli_sname) + " in " : "") +
                 file.substr(file.rfind('/') + 1) + " at offset " + std::to_string(offset);
      }
      failure_.conflict = {"allocated by " + caller};
      fail(FailureKind::leak,
           std::to_string(block.size) +
               " bytes are still allocated when the body has returned: "
               "allocation " +
               std::to_string(block.ordinal) + " of thread " + std::to_string(a) +
               ". It is a leak, or an object captured from outside of the body grew inside of it; "
               "for results use sim::observe() or sim::outside([&]{ ... })",
           source_location{});
    }
  }
}

runtime::moment Execution::now() {
  const Inside inside(*this);
  const ModelThread& t = *current_;
  if (moments_used_ == moments_.size()) moments_.emplace_back();
  auto& clock = moments_[moments_used_];
  const graph::tick* const from = clock_of(t);
  clock.assign(from, from + graph_->clocks().width());
  return {t.id, t.position, static_cast<std::uint32_t>(moments_used_++), ++moment_order_};
}

bool Execution::happens_before(const runtime::moment& a, const runtime::moment& b) {
  if (a.thread == b.thread) return a.order < b.order;
  const auto& clock = moments_[b.clock];
  return a.thread < clock.size() && clock[a.thread] > a.epoch;
}

}  // namespace heddle::sim::engine
