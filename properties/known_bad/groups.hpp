// All small known-bad programs, by structure: for the scenarios, for Relacy, and for the tests of
// the checks. Each group calls visit(flawed program, its sound twin, row).
#pragma once

#include "generation.hpp"
#include "idle.hpp"
#include "lifetime.hpp"
#include "parking.hpp"
#include "queues.hpp"
#include "state_word.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

template <class Bad, class Twin, class Visit>
void visit_program(Visit& visit, const Row& row) {
  visit(program_type<Bad>{}, program_type<Twin>{}, row);
}
/// For templates over "is it sound?".
template <template <bool> class Program, class Visit>
void visit_unsound(Visit& visit, const Row& row) {
  visit_program<Program<false>, Program<true>>(visit, row);
}

template <word_flaw Flaw, class Visit>
void visit_word(Visit& visit, const Row& row) {
  visit_program<state_word<Flaw>, state_word<word_flaw::sound>>(visit, row);
}
template <class Visit>
void state_word_programs(Visit&& visit) {
  visit_word<word_flaw::single_shot>(
      visit, {"single_shot", "B67: running to ready by one exchange that a wake makes fail",
              Check::at_rest});
  visit_word<word_flaw::stale_wakeup>(
      visit,
      {"stale_wakeup", "H10: the wakeup flag survives the way to blocked", Check::no_flag_left});
  visit_word<word_flaw::blocked_too_soon>(
      visit, {"blocked_too_soon", "B70: blocked before the worker's last use of the process",
              Caught::data_race});
  visit_unsound<two_bit_schedule>(
      visit, {"two_bit_schedule", "B11: a second bit, \"is being queued\", swallows a wake",
              Check::at_rest});
  visit_unsound<start_and_cancel>(
      visit, {"overwritten_cancel", "B52: the start of a step overwrites a cancellation",
              Check::cancel_seen});
  visit_unsound<change_queue>(
      visit, {"expected_not_refreshed", "B23: a loop of exchanges with an old expectation",
              Caught::livelock});
  visit_unsound<empty_mailbox>(
      visit, {"empty_is_the_end", "B45: a wake that finds the mailbox empty ends the process",
              Check::stays_alive});
}

template <slot_flaw Flaw, class Visit>
void visit_slot(Visit& visit, const Row& row) {
  visit_program<reused_slot<Flaw>, reused_slot<slot_flaw::sound>>(visit, row);
}
template <class Visit>
void generation_programs(Visit&& visit) {
  visit_slot<slot_flaw::read_at_push>(
      visit, {"generation_read_at_push", "H3, B43: a producer takes the generation of the moment",
              Check::earlier_life});
  visit_slot<slot_flaw::check_then_push>(
      visit, {"check_then_push", "H3: the generation is checked, and then the event pushed",
              Check::earlier_life});
  visit_slot<slot_flaw::cancel_unchecked>(
      visit, {"cancel_unchecked", "H4: a termination that names a slot and no generation",
              Check::earlier_life});
  visit_slot<slot_flaw::never_bumped>(
      visit, {"generation_never_bumped", "B104: the generation is compared and never changed",
              Check::earlier_life});
  visit_slot<slot_flaw::comes_back>(
      visit, {"generation_comes_back", "B100: one bit of generation, and three occupants",
              Check::earlier_life});
  visit_unsound<close_and_push>(
      visit, {"close_then_push", "H8: the mailbox is open when looked at, closed when pushed to",
              Check::nothing_lost});
  visit_unsound<pooled_nodes>(
      visit, {"pooled_nodes", "B06, B07: a node of a free list comes back while its head is read",
              Caught::data_race});
  visit_unsound<reused_block>(
      visit, {"reused_block", "B07: a block is filled again while a thief of the last round sleeps",
              Check::delivered_once});
}

template <class Visit>
void queue_programs(Visit&& visit) {
  using take = take_flaw;
  visit_program<one_item<take::load_store>, one_item<take::sound>>(
      visit,
      {"load_and_store", "B01: an item is taken by a load and a store", Check::delivered_once});
  visit_program<one_item<take::empty_is_item>, one_item<take::sound>>(
      visit,
      {"empty_is_item", "B82: an item is handed out where there was none", Check::known_item});
  visit_unsound<claim_then_copy>(
      visit, {"claim_then_copy", "B05: a slot is overwritten that a thief has claimed, not copied",
              Check::delivered_once});
  visit_unsound<index_as_wide_as_ring>(
      visit, {"index_as_wide_as_ring", "B05: indices in which a full ring looks like an empty one",
              Check::nothing_lost});
  visit_unsound<half_linked>(
      visit,
      {"half_linked", "B12, H9: \"empty\" is answered between a producer's exchange and link",
       Caught::deadlock});
  visit_unsound<permits_and_items>(
      visit, {"permits_and_items", "B42: an item is taken without its permit", Caught::livelock});
  visit_unsound<full_inboxes>(
      visit, {"full_inboxes", "B46: two workers wait for room and empty nothing meanwhile",
              Caught::livelock});
  visit_unsound<insisting_drain>(
      visit,
      {"insisting_drain", "B77: a batch was seen, so some of it must be got", Caught::livelock});
  visit_unsound<backpressure>(
      visit, {"backpressure", "B73: the queue is emptied between \"it is full\" and \"I wait\"",
              Caught::deadlock});
  visit_unsound<stolen_again>(
      visit, {"stolen_again", "B39: what was stolen can be stolen back before it runs",
              Check::bounded_steals});
  visit_unsound<next_slot>(
      visit, {"next_slot", "B61: two processes wake each other through the next slot for ever",
              Check::bounded_overtaking});
}

template <class Visit>
void parking_programs(Visit&& visit) {
  using flaw = parker_flaw;
  visit_program<one_wake<flaw::no_memory>, one_wake<flaw::sound>>(
      visit, {"wake_without_memory", "B80, B21: a wake that comes before the sleep is lost",
              Caught::deadlock});
  visit_program<one_wake<flaw::beside_mutex>, one_wake<flaw::sound>>(
      visit, {"token_beside_mutex", "B48: stored and notified between the sleeper's look and wait",
              Caught::deadlock});
  visit_program<one_wake<flaw::if_not_while>, one_wake<flaw::sound>>(
      visit, Row("if_not_while", "B30: a wait that ends for no reason is taken for a wake",
                 Check::wait_has_reason)
                 .with_spurious_wakeups());
  visit_program<deadline_then_park<flaw::swallowed_token>, deadline_then_park<flaw::sound>>(
      visit, Row("swallowed_token", "B32: a wait that ends by time swallows the wake of the next",
                 Caught::deadlock)
                 .with_timeouts());
  visit_unsound<late_waiter>(
      visit, {"late_waiter", "B85: who comes after a notification takes it from who waited",
              Caught::deadlock});
  visit_unsound<weak_latch>(
      visit,
      {"weak_latch", "B84: one acq_rel exchange in a handshake of seq_cst ones", Caught::deadlock});
  visit_unsound<event_count_rolls_over>(
      visit,
      {"event_count_rolls_over", "B84: an event count of one bit comes back", Check::nothing_lost});
  visit_unsound<relaxed_probe>(
      visit, {"relaxed_probe", "B83: a worker is woken for work that it cannot see yet",
              Caught::deadlock});
}

template <place_flaw Flaw, place_flaw Sound, class Visit>
void visit_place(Visit& visit, const Row& row) {
  visit_program<behind_a_long_step<Flaw>, behind_a_long_step<Sound>>(visit, row);
}
template <class Visit>
void idle_programs(Visit&& visit) {
  using look = look_flaw;
  visit_program<searching_workers<look::no_last_look>, searching_workers<look::sound>>(
      visit, {"no_last_look", "B09: the last searcher falls asleep without another look",
              Caught::deadlock});
  visit_unsound<found_and_gone>(
      visit, {"no_look_found", "B36: the last searcher finds work and does not look for more",
              Caught::deadlock});
  visit_program<idle_list<idle_flaw::side_wake>, idle_list<idle_flaw::sound>>(
      visit, {"side_wake", "B10: a worker is woken that stays in the idle set", Check::idle_once});
  visit_program<idle_list<idle_flaw::never_entered>, idle_list<idle_flaw::sound>>(
      visit, {"search_never_entered", "B76: a worker stops searching that was not counted",
              Check::counts_exact});
  visit_place<place_flaw::busy_worker, place_flaw::sound>(
      visit,
      {"busy_worker_woken", "H2: a wake is given to a worker in a long step", Caught::deadlock});
  visit_place<place_flaw::private_place, place_flaw::sound>(
      visit, {"private_place", "H5, B17, B62: what waits behind a long step is nobody else's",
              Caught::deadlock});
  visit_place<place_flaw::silent_batch, place_flaw::sound_batch>(
      visit, {"silent_batch", "H6: a batch is taken, and nobody told", Caught::deadlock});
  visit_unsound<looks_for_ever>(
      visit, {"looks_for_ever", "B87: workers look for work as long as any is unfinished",
              Check::comes_to_rest});
}

template <limit_flaw Flaw, class Visit>
void visit_limit(Visit& visit, const Row& row) {
  visit_program<limited_places<Flaw>, limited_places<limit_flaw::sound>>(visit, row);
}
template <class Visit>
void lifetime_programs(Visit&& visit) {
  visit_unsound<throttled_worker>(
      visit, {"throttled_worker", "B18: a wait for fewer active workers forgets the shutdown",
              Caught::deadlock});
  visit_unsound<sleeps_again>(
      visit,
      {"sleeps_again", "B19: woken for the shutdown, a worker sleeps again", Caught::deadlock});
  visit_unsound<leaves_too_early>(
      visit, {"leaves_too_early", "H7, B14: a worker leaves while a process awaits a completion",
              Check::everything_closed});
  visit_unsound<submit_and_stop>(visit,
                                 {"submit_and_stop", "H8: registered after the shutdown has looked",
                                  Check::everything_closed});
  visit_limit<limit_flaw::check_then_count>(
      visit, {"check_then_count", "H8, B91: two submissions see the last place free",
              Check::within_limit});
  visit_limit<limit_flaw::failed_start>(
      visit, {"failed_start", "B91: a start that fails keeps its place", Check::given_back});
  visit_limit<limit_flaw::cancelled_twice>(
      visit, {"given_back_twice", "B91: a place is given back twice", Check::given_back});
  visit_unsound<late_release>(
      visit, {"late_release", "B43, B91: a reservation is given back to the next occupant",
              Check::given_back});
  visit_unsound<throwing_step>(
      visit,
      {"throwing_step", "B63: a step that throws is never counted as ended", Caught::deadlock});
  visit_unsound<lock_kept>(
      visit, {"lock_kept", "B25: a worker stops for good with a lock held", Caught::deadlock});
  visit_unsound<start_and_stop>(
      visit, {"start_and_stop", "B66: the end of start() overwrites a stop", Caught::livelock});
  visit_unsound<publish_then_touch>(
      visit, {"publish_then_touch", "B68: the scheduler is used after the process is published",
              Caught::use_after_free});
  visit_unsound<waiter_returns>(
      visit, {"waiter_returns", "B50: a waiter returns while the completer has its event",
              Caught::use_after_free});
}

template <class Visit>
void all_programs(Visit&& visit) {
  state_word_programs(visit);
  generation_programs(visit);
  queue_programs(visit);
  parking_programs(visit);
  idle_programs(visit);
  lifetime_programs(visit);
}

}  // namespace heddle::inline HEDDLE_ON::known_bad
