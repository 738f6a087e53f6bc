// The std back end costs nothing: the same functions, once written with sync:: and once with std::
// and plain objects, become the same instructions. The compiler that built this test compiles both
// from one text, with -O2, and the assembler text is compared without labels and directives.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr std::string_view via_sync = R"(
#include <heddle/sync.hpp>
namespace layer = heddle::sync;
template <class T> using shared = layer::cell<T>;
template <class T> T get(const shared<T>& from) { return from.read(); }
template <class T> void put(shared<T>& into, T value) { into.write(value); }
template <class T> void grow(shared<T>& into) { into.with([](T& inside) { ++inside; }); }
inline void hint() { layer::spin_hint(); }
#define REQUIRE(condition) HEDDLE_ASSERT(condition, "I1")
)";

constexpr std::string_view via_std = R"(
#include <atomic>
#include <mutex>
namespace layer = std;
template <class T> using shared = T;
template <class T> T get(const T& from) { return from; }
template <class T> void put(T& into, T value) { into = value; }
template <class T> void grow(T& into) { ++into; }
#if defined(__x86_64__)
inline void hint() { __builtin_ia32_pause(); }
#else
inline void hint() { asm volatile("yield"); }
#endif
#define REQUIRE(condition) static_cast<void>(0)
)";

constexpr std::string_view functions = R"(
struct message {
  layer::atomic<unsigned long> word;
  layer::atomic<bool> ready;
  shared<long> data;
  shared<int> count;
  layer::mutex mutex;
};
extern "C" void send(message& to, long value) {
  put(to.data, value);
  to.ready.store(true, layer::memory_order_release);
}
extern "C" long receive(message& from) {
  while (!from.ready.load(layer::memory_order_acquire)) hint();
  REQUIRE(get(from.data) != 0);
  return get(from.data);
}
extern "C" bool claim(message& of, unsigned long bit) {
  unsigned long seen = of.word.load(layer::memory_order_relaxed);
  do {
    if ((seen & bit) != 0) return false;
  } while (!of.word.compare_exchange_weak(seen, seen | bit, layer::memory_order_acq_rel,
                                          layer::memory_order_relaxed));
  layer::atomic_thread_fence(layer::memory_order_seq_cst);
  return of.word.exchange(seen) != 0;
}
extern "C" void increment(message& of) {
  of.mutex.lock();
  grow(of.count);
  of.mutex.unlock();
}
)";

class folder {
 public:
  folder() : path_(fs::temp_directory_path() / ("heddle_zero_cost_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~folder() { fs::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string assembler_of(const fs::path& folder, std::string_view name, std::string_view layer,
                         std::string_view body) {
  const fs::path source = folder / (std::string(name) + ".cpp");
  const fs::path result = folder / (std::string(name) + ".s");
  std::ofstream(source) << layer << body;
  const std::string command = std::string(HEDDLE_CXX) +
                              " -std=c++20 -O2 -DNDEBUG -fno-asynchronous-unwind-tables -S -I " +
                              HEDDLE_INCLUDE_DIR + " -o " + result.string() + " " + source.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::stringstream text;
  text << std::ifstream(result).rdbuf();
  return text.str();
}

// Local labels, numbered in the order in which the function mentions them.
std::string with_plain_labels(const std::string& line, std::map<std::string, std::string>& labels) {
  static const std::regex label(R"(\.L[A-Za-z]*[0-9_]+)");
  std::string result;
  auto rest = line.cbegin();
  for (std::sregex_iterator it(line.begin(), line.end(), label), end; it != end; ++it) {
    const auto number = std::to_string(labels.size());
    result.append(rest, (*it)[0].first);
    result += labels.try_emplace(it->str(), "L" + number).first->second;
    rest = (*it)[0].second;
  }
  return result.append(rest, line.cend());
}

// The instructions of each function of `functions`.
std::map<std::string, std::string> instructions(const std::string& assembler) {
  static const std::regex function("^(send|receive|claim|increment):");
  static const std::regex directive_or_nothing(R"(^\s*(\.[a-z].*)?$)");
  std::map<std::string, std::string> result;
  std::map<std::string, std::string> labels;
  std::string* current = nullptr;
  std::istringstream lines(assembler);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, function)) {
      current = &result[found[1]];
      labels.clear();
      continue;
    }
    if (line.find(".size") != std::string::npos) current = nullptr;
    line = line.substr(0, line.find('#'));
    if (current == nullptr || std::regex_match(line, directive_or_nothing)) continue;
    *current += with_plain_labels(line, labels) + '\n';
  }
  return result;
}

TEST(zero_cost, the_std_back_end_compiles_to_the_same_instructions) {
  const folder scratch;
  const auto ours = instructions(assembler_of(scratch.path(), "via_sync", via_sync, functions));
  const auto plain = instructions(assembler_of(scratch.path(), "via_std", via_std, functions));
  ASSERT_EQ(plain.size(), 4U);
  for (const auto& [name, text] : plain) {
    EXPECT_GE(text.size(), 20U) << name;
    EXPECT_EQ(ours.at(name), text) << name;
  }
}

TEST(zero_cost, the_comparison_sees_a_difference) {
  const folder scratch;
  std::string changed(functions);
  const std::string_view release = "to.ready.store(true, layer::memory_order_release)";
  changed.replace(changed.find(release), release.size(), "to.ready.store(true)");
  const auto one = instructions(assembler_of(scratch.path(), "one", via_std, functions));
  const auto other = instructions(assembler_of(scratch.path(), "other", via_std, changed));
  EXPECT_NE(one.at("send"), other.at("send"));
  EXPECT_EQ(one.at("claim"), other.at("claim"));
}

}  // namespace
