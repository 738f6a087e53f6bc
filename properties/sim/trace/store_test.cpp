// Trace files: named by scenario, written whole or not at all, nothing foreign overwritten.
#include <heddle/sim/trace/store.hpp>

#include <csignal>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json.hpp>

#include "../support/sample_traces.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::trace {
namespace {

namespace fs = std::filesystem;
using support::ScratchFolder;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const TraceError& error) {
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(trace_store, reads_back_what_it_stored_under_the_name_of_the_scenario) {
  const ScratchFolder folder;
  const Trace sample = support::race().trace();
  const fs::path directory = folder.path() / "a" / "b";
  EXPECT_EQ(store(directory, sample, Existing::keep), Stored::written);
  EXPECT_EQ(read(directory / "race.trace.json"), sample);
  EXPECT_EQ(folder.files(), 3U) << "no temporary file is left";
}

TEST(trace_store, leaves_the_same_trace_alone) {
  const ScratchFolder folder;
  const Trace sample = support::race().trace();
  ASSERT_EQ(store(folder.path(), sample, Existing::keep), Stored::written);
  const auto before = fs::last_write_time(folder.path() / "race.trace.json");
  EXPECT_EQ(store(folder.path(), sample, Existing::replace), Stored::unchanged);
  EXPECT_EQ(fs::last_write_time(folder.path() / "race.trace.json"), before);
}

TEST(trace_store, replaces_another_trace_of_the_scenario_only_when_asked) {
  const ScratchFolder folder;
  Trace sample = support::race().trace();
  ASSERT_EQ(store(folder.path(), sample, Existing::keep), Stored::written);
  const Trace first = sample;
  sample.execution += 1;
  EXPECT_EQ(store(folder.path(), sample, Existing::keep), Stored::kept);
  EXPECT_EQ(read(folder.path() / "race.trace.json"), first);
  EXPECT_EQ(store(folder.path(), sample, Existing::replace), Stored::written);
  EXPECT_EQ(read(folder.path() / "race.trace.json"), sample);
}

TEST(trace_store, never_overwrites_what_is_not_a_trace_of_the_scenario) {
  const ScratchFolder folder;
  const Trace sample = support::race().trace();
  const std::string foreign = "{\"my\": \"notes\"}";
  const std::string other = write_json(support::spinning().trace());
  for (const std::string& content : {foreign, other, std::string()}) {
    folder.write("race.trace.json", content);
    const std::string message =
        refusal([&] { static_cast<void>(store(folder.path(), sample, Existing::replace)); });
    EXPECT_TRUE(mentions(message, "left as it is")) << message;
    EXPECT_EQ(ScratchFolder::read(folder.path() / "race.trace.json"), content);
  }
  EXPECT_EQ(folder.files(), 1U);
}

TEST(trace_store, refuses_names_that_cannot_name_a_file) {
  EXPECT_TRUE(is_scenario_name("deque.two-thieves_1+x"));
  for (const char* name : {"", "../up", "a/b", ".hidden", "-x", "a b", "ä", "a\n"}) {
    EXPECT_FALSE(is_scenario_name(name)) << name;
  }
  EXPECT_TRUE(is_scenario_name(std::string(200, 'x')));
  EXPECT_FALSE(is_scenario_name(std::string(201, 'x')));
  Trace sample = support::race().trace();
  sample.scenario = "../escape";
  const ScratchFolder folder;
  const std::string message = refusal(
      [&] { static_cast<void>(store(folder.path() / "inner", sample, Existing::replace)); });
  EXPECT_TRUE(mentions(message, "cannot name a file")) << message;
  EXPECT_EQ(folder.files(), 0U);
}

TEST(trace_store, says_why_a_file_cannot_be_written) {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "");
  const std::string message =
      refusal([&] { static_cast<void>(store(file, support::race().trace(), Existing::keep)); });
  EXPECT_TRUE(mentions(message, "race.trace.json: cannot be written: Not a directory")) << message;
}

TEST(trace_store, says_why_a_file_cannot_be_read) {
  const ScratchFolder folder;
  EXPECT_TRUE(mentions(refusal([&] { read(folder.file("none")); }), "there is no such file"));
  EXPECT_TRUE(mentions(refusal([&] { read(folder.path()); }), "is not a regular file"));
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(mentions(refusal([&] { read(pipe); }), "is not a regular file"));
  const std::string huge = folder.write("huge", "");
  fs::resize_file(huge, std::uintmax_t{1} << 40);
  EXPECT_TRUE(mentions(refusal([&] { read(huge); }), "is larger than 256 MiB"));
}

TEST(trace_store, finds_the_traces_below_a_directory_in_order) {
  const ScratchFolder folder;
  EXPECT_TRUE(mentions(refusal([&] { find(folder.path()); }), "no *.trace.json"));
  EXPECT_TRUE(mentions(refusal([&] { find(folder.path() / "none"); }), "no such file"));
  fs::create_directory(folder.path() / "b");
  folder.write("b/two.trace.json", "");
  folder.write("one.trace.json", "");
  folder.write("README.md", "");
  const auto found = find(folder.path());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], folder.path() / "b/two.trace.json");
  EXPECT_EQ(found[1], folder.path() / "one.trace.json");
  EXPECT_EQ(find(folder.path() / "README.md").size(), 1U) << "a file names itself";
}

TEST(atomic_file, leaves_the_old_file_when_the_new_one_does_not_fit) {
  const ScratchFolder folder;
  const std::string file = folder.write("report.json", "old");
  // In a process of its own: the limit on file sizes cannot be raised again by everyone.
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ::rlimit limit{10, 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    try {
      write_file(file, std::string(1000, 'x'));
    } catch (const std::runtime_error& error) {
      ::_exit(std::string(error.what()) == "cannot be written: File too large" ? 7 : 8);
    }
    ::_exit(9);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(ScratchFolder::read(file), "old");
  EXPECT_EQ(folder.files(), 1U) << "the temporary file is gone";
}

TEST(atomic_file, replaces_the_target_of_a_link_and_writes_into_a_device) {
  const ScratchFolder folder;
  const std::string target = folder.write("target", "old");
  fs::create_symlink("target", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(ScratchFolder::read(target), "new");
  write_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_file(folder.path(), "x"), std::runtime_error);
}

}  // namespace
}  // namespace heddle::sim::trace
