// Pages in a real browser, Chromium without a window: they load without an error, they step, with
// the keyboard and the mouse, in light and dark, in wide and narrow windows. page_selftest.js is
// put into the page and does what a person would do.
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <heddle/sim/report/html_page.hpp>
#include <heddle/sim/trace/store.hpp>

#include "../support/page_data.hpp"
#include "../support/sample_traces.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::report {
namespace {

using support::ScratchFolder;

struct Output {
  int code = -1;
  std::string text;
};

Output run(const std::string& command) {
  Output output;
  FILE* const pipe = ::popen((command + " < /dev/null").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
    output.text.append(bytes.data(), count);
  }
  const int status = ::pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

// How the browser shows it.
struct Window {
  std::string size = "1400,900";
  bool dark = false;
};

// What the self-test has written into the page.
struct Seen {
  std::string verdict;
  std::string steps, dark, lanes;
};

std::string attribute(std::string_view page, const std::string& name) {
  const std::string begin = " data-" + name + "=\"";
  const std::size_t at = page.find(begin);
  if (at == std::string_view::npos) return "(the page did not say)";
  page.remove_prefix(at + begin.size());
  return std::string(page.substr(0, page.find('"')));
}

constexpr std::string_view error_collector = R"(<script>
window.selftestProblems = [];
window.addEventListener('error', (event) => selftestProblems.push(`error: ${event.message}`));
window.addEventListener('unhandledrejection', (event) =>
  selftestProblems.push(`rejected: ${event.reason}`));
document.addEventListener('securitypolicyviolation', (event) =>
  selftestProblems.push(`fetch of ${event.blockedURI}`));
</script>
)";

class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    const Output found = run("command -v chromium");
    if (found.code != 0) {
      GTEST_FAIL() << "Chromium is missing, so nothing can be said about the page in a browser. "
                      "scripts/setup installs it (Debian: apt-get install chromium).";
    }
  }

  Seen open(std::string page, const Window& window = {}) {
    const std::string script = ScratchFolder::read(std::string(HEDDLE_SOURCE_DIR) +
                                                   "/properties/sim/report/page_selftest.js");
    const auto put = [&](std::string_view before, std::string_view text) {
      const std::size_t at = page.find(before);
      ASSERT_NE(at, std::string::npos) << before;
      page.insert(at, text);
    };
    put("<header", error_collector);
    put("</body>", "<script>\n" + script + "</script>\n");
    const std::string file = folder_.write("page.html", page);
    // A sandbox needs rights that a build in a container does not have; the page is ours.
    const Output output =
        run("timeout 240 chromium --headless --no-sandbox --disable-gpu --no-first-run "
            "--disable-dev-shm-usage --virtual-time-budget=2000 --dump-dom --window-size=" +
            window.size + (window.dark ? " --force-dark-mode" : "") + " --user-data-dir=" +
            folder_.file("profile") + " file://" + file + " 2>" + folder_.file("errors"));
    EXPECT_EQ(output.code, 0) << ScratchFolder::read(folder_.file("errors"));
    return {attribute(output.text, "selftest"), attribute(output.text, "steps"),
            attribute(output.text, "dark"), attribute(output.text, "lanes")};
  }

  static std::string page_of(const Trace& trace) {
    Sources sources = Sources::around(std::string(HEDDLE_SOURCE_DIR) + "/traces/a");
    return html_page(trace, sources);
  }
  static std::string recorded(const std::string& name) {
    return page_of(trace::read(std::string(HEDDLE_SOURCE_DIR) + "/traces/" + name +
                               std::string(trace::file_suffix)));
  }

 private:
  ScratchFolder folder_;
};

// A browser takes a second or two for a page, so the traces are shared out over several tests.
constexpr unsigned shares = 6;
class RecordedTraces : public Browser, public ::testing::WithParamInterface<unsigned> {};

TEST_P(RecordedTraces, are_stepped_through) {
  const auto files = trace::find(std::string(HEDDLE_SOURCE_DIR) + "/traces");
  ASSERT_GE(files.size(), shares);
  for (std::size_t i = GetParam(); i < files.size(); i += shares) {
    const Seen seen = open(page_of(trace::read(files[i])));
    EXPECT_EQ(seen.verdict, "passed") << files[i];
    EXPECT_GT(std::stoi(seen.steps), 0) << files[i];
  }
}
INSTANTIATE_TEST_SUITE_P(all, RecordedTraces, ::testing::Range(0U, shares));

TEST_F(Browser, shows_light_and_dark) {
  const std::string page = recorded("known_bad_park_handshake");
  const Seen light = open(page);
  EXPECT_EQ(light.verdict, "passed");
  EXPECT_EQ(light.dark, "false");
  const Seen dark = open(page, {.dark = true});
  EXPECT_EQ(dark.verdict, "passed");
  EXPECT_EQ(dark.dark, "true");
}

TEST_F(Browser, fits_a_narrow_window) {
  const Seen narrow = open(recorded("known_bad_bottom_before_top"), {"500,800", false});
  EXPECT_EQ(narrow.verdict, "passed");
  EXPECT_EQ(narrow.lanes, "true");
  EXPECT_EQ(open(recorded("known_bad_bottom_before_top")).lanes, "false");
}

TEST_F(Browser, draws_traces_of_every_shape) {
  EXPECT_EQ(open(page_of(support::many_threads().trace())).lanes, "true");
  EXPECT_EQ(open(page_of(support::many_threads().trace())).verdict, "passed");
  EXPECT_EQ(open(page_of(support::everything().trace())).verdict, "passed");
  EXPECT_EQ(open(page_of(support::spinning().trace())).verdict, "passed");
  EXPECT_EQ(open(page_of(support::empty().trace())).verdict, "passed");
  EXPECT_EQ(open(page_of(support::long_names().trace()), {"500,800", false}).verdict, "passed");
}

TEST_F(Browser, runs_no_script_of_a_trace) {
  const std::string hostile =
      "</script><img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
  auto made = support::message_passing();
  Trace& trace = made.trace();
  trace.scenario = trace.message = trace.file = hostile;
  for (TraceStep& step : trace.steps) step.text = step.file = step.function = hostile;
  EXPECT_EQ(open(page_of(trace)).verdict, "passed");
}

// The self-test can fail.
TEST_F(Browser, notices_a_broken_page) {
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string page = recorded("known_bad_park_handshake");
    const std::size_t at = page.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    page.replace(at, from.size(), to);
    return open(page).verdict;
  };
  EXPECT_NE(broken("drawHead();\n  drawHistory", "drawHed();\n  drawHistory"), "passed");
  EXPECT_NE(broken("j: () => move(1)", "j: () => move(0)"), "passed");
  EXPECT_NE(broken("<footer>", "<img src=x><footer>"), "passed");
  EXPECT_NE(broken("<footer>", "<footer style='width:3000px'>"), "passed");
}

}  // namespace
}  // namespace heddle::sim::report
