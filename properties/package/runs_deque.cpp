// The production deque, without the simulator: an owner and a thief on real threads.
#include <cstdio>
#include <thread>

#include <heddle/scheduler.hpp>
#include <heddle/sync.hpp>

int main() {
  constexpr int items = 1000;
  heddle::deque<int> deque;
  for (int item = 1; item <= items; ++item) deque.push(item);

  heddle::sync::atomic<int> sum{0};
  std::thread thief([&] {
    int item = 0;
    for (auto result = deque.steal(item); result != heddle::steal_result::empty;
         result = deque.steal(item)) {
      if (result == heddle::steal_result::item) sum += item;
    }
  });
  int item = 0;
  while (deque.pop(item) == heddle::pop_result::item) sum += item;
  thief.join();

  std::printf("%d\n", sum.load());
  return sum == items * (items + 1) / 2 ? 0 : 1;
}
