// What the layer rule must find, and what it must leave alone. Read by `scripts/lint self-test`;
// never compiled.
#include <chrono>
#include <mutex>

namespace heddle {

// A std::atomic<int> in a comment is fine, and so is all of this:
std::memory_order order = std::memory_order_relaxed;
sync::atomic<int> counter;
sync::mutex gate;
std::unique_lock<sync::mutex> lock(gate);
const char* text = "std::atomic pthread_create(0)";
std::chrono::nanoseconds pause = sync::clock::now() - started;
void fence() { sync::atomic_thread_fence(std::memory_order_seq_cst); }

std::atomic<int> a;                         // bad
::std::atomic_flag b;                       // bad
std::thread c;                              // bad
std::jthread d;                             // bad
std::mutex e;                               // bad
std::recursive_timed_mutex f;               // bad
std::condition_variable_any g;              // bad
std::counting_semaphore<4> h(0);            // bad
std::latch i(1);                            // bad
std::future<int> j;                         // bad
using std::barrier;                         // bad
namespace renamed = std;                    // bad
using namespace std;                        // bad
thread_local int k;                         // bad
auto l = std::chrono::steady_clock::now();  // bad
auto m = clock_gettime(0, nullptr);         // bad
auto n = __atomic_load_n(&l, 0);            // bad
auto o = std::atomic_thread_fence(order);   // bad
auto p = std::this_thread::get_id();        // bad
auto q = pthread_self();                    // bad
auto r = epoll_create1(0);                  // bad
std::random_device s;                       // bad

#ifdef SOMETHING
std::mutex t;  // bad
#endif

}  // namespace heddle
