// `heddle show` into files.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <heddle/sim/trace/json.hpp>

#include "../support/fake_program.hpp"
#include "../support/page_data.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;
using support::FakeProgram;
using support::ScratchFolder;

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string save(const ScratchFolder& folder, const support::HandMadeTrace& made) {
  return folder.write(made.trace().scenario + ".trace.json", trace::write_json(made.trace()));
}

TEST(show_files, writes_a_page_and_a_chrome_trace) {
  const ScratchFolder folder;
  const std::string file = save(folder, support::message_passing());
  FakeProgram fake;
  const std::string page = folder.file("a.html");
  const std::string events = folder.file("a.json");
  EXPECT_EQ(fake.run({"show", file, "--html", page, "--perfetto", events}), success)
      << fake.err.str();
  EXPECT_TRUE(mentions(fake.out.str(), page)) << fake.out.str();
  EXPECT_EQ(support::data_of(ScratchFolder::read(page))["scenario"], "message_passing");
  EXPECT_TRUE(mentions(ScratchFolder::read(events), "\"traceEvents\""));
}

TEST(show_files, replaces_a_file_only_when_asked) {
  const ScratchFolder folder;
  const std::string file = save(folder, support::message_passing());
  const std::string page = folder.write("a.html", "mine");
  FakeProgram fake;
  EXPECT_EQ(fake.run({"show", file, "--html", page}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "--overwrite")) << fake.err.str();
  EXPECT_EQ(ScratchFolder::read(page), "mine");
  EXPECT_EQ(fake.run({"show", file, "--html", page, "--overwrite"}), success);
  EXPECT_NE(ScratchFolder::read(page), "mine");
}

TEST(show_files, never_writes_over_the_trace) {
  const ScratchFolder folder;
  const std::string file = save(folder, support::message_passing());
  const std::string before = ScratchFolder::read(file);
  FakeProgram fake;
  EXPECT_EQ(fake.run({"show", file, "--perfetto", file, "--overwrite"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "the trace itself")) << fake.err.str();
  EXPECT_EQ(ScratchFolder::read(file), before);
}

TEST(show_files, writes_a_page_per_trace_into_a_directory) {
  const ScratchFolder folder;
  save(folder, support::message_passing());
  save(folder, support::lost_wakeup());
  const std::string pages = folder.file("pages");
  FakeProgram fake;
  EXPECT_EQ(fake.run({"show", folder.path().string(), "--html", pages}), usage)
      << "one file for two traces";
  EXPECT_TRUE(mentions(fake.err.str(), "give a directory")) << fake.err.str();
  fs::create_directory(pages);
  EXPECT_EQ(fake.run({"show", folder.path().string(), "--html", pages}), success) << fake.err.str();
  EXPECT_TRUE(fs::exists(pages + "/message_passing.html"));
  EXPECT_TRUE(fs::exists(pages + "/lost_wakeup.html"));
}

TEST(show_files, says_what_is_wrong_with_a_target) {
  const ScratchFolder folder;
  const std::string file = save(folder, support::message_passing());
  FakeProgram fake;
  EXPECT_EQ(fake.run({"show", file, "--html", folder.file("none/a.html")}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "there is no directory")) << fake.err.str();
  const std::string both = folder.file("both");
  EXPECT_EQ(fake.run({"show", file, "--html", both, "--perfetto", both}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "a file each")) << fake.err.str();
  EXPECT_FALSE(fs::exists(both));
}

}  // namespace
}  // namespace heddle::sim::cli
