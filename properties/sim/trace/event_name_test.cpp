// Names of events that survive edits.
#include <heddle/sim/trace/event_name.hpp>

#include <gtest/gtest.h>

#include "../support/sample_traces.hpp"

namespace heddle::sim::trace {
namespace {

TEST(event_name, takes_the_name_of_a_function_out_of_its_signature) {
  EXPECT_EQ(short_function("submit"), "submit");
  EXPECT_EQ(short_function("int main()"), "main");
  EXPECT_EQ(short_function("void heddle::on_sim::park<Order>::submit() [with Order = a::b<c>]"),
            "submit");
  EXPECT_EQ(short_function("void std::unique_lock<_Mutex>::lock() [with _Mutex = sim::mutex]"),
            "lock");
  EXPECT_EQ(short_function("T* a::pool<T>::take(std::function<void (int)>) const"), "take");
  EXPECT_EQ(short_function("void run(std::vector<int>&&) &&"), "run");
  EXPECT_EQ(short_function("std::pair<int, int> pairs<int, 3>()"), "pairs");
  EXPECT_EQ(short_function("growing()::<lambda()> [with Choices = sound]"), "operator()");
  EXPECT_EQ(short_function("f(int)::<lambda(auto:1)> mutable"), "operator()") << "GCC, mutable";
  EXPECT_EQ(short_function("operator()"), "operator()");
  EXPECT_EQ(short_function("bool a::counter::operator==(const a::counter&) const"), "operator==");
  EXPECT_EQ(short_function("int a::call::operator()(int) const"), "operator()");
  EXPECT_EQ(short_function(""), "");
}

TEST(event_name, leaves_lines_and_folders_out_of_sites) {
  EXPECT_EQ(site_name("store", "void a::push(int)", "scheduler/queues/deque.hpp"),
            "store push deque.hpp");
  EXPECT_EQ(site_name("load", "push", "deque.hpp"), "load push deque.hpp");
}

TEST(event_name, counts_occurrences_by_thread) {
  support::HandMadeTrace made("names");
  made.spawn(0, 1);
  made.spawn(1, 2);
  made.spawn(0, 3);
  for (const unsigned thread : {2U, 2U, 3U}) {
    made.at("a.cpp", 5, "void f()");
    made.fence(thread, "seq_cst");
  }
  const auto names = event_names(made.trace());
  EXPECT_EQ(names[3], (TraceEventName{"0.1.1", "fence f a.cpp", 1}));
  EXPECT_EQ(names[4], (TraceEventName{"0.1.1", "fence f a.cpp", 2}));
  EXPECT_EQ(names[5], (TraceEventName{"0.2", "fence f a.cpp", 1}));
  EXPECT_EQ(in_words(names[4]), "the 2nd 'fence f a.cpp' of thread 0.1.1");
}

}  // namespace
}  // namespace heddle::sim::trace
