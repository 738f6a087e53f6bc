#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/documents.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

// Text for XML 1.0. Lines are kept; other control characters do not exist in XML, not even escaped.
std::string escape(std::string_view text) {
  std::string result;
  std::string_view rest = text;
  while (true) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    for (const char letter : clean(rest.substr(0, end))) {
      switch (letter) {
        case '&':
          result += "&amp;";
          break;
        case '<':
          result += "&lt;";
          break;
        case '>':
          result += "&gt;";
          break;
        case '"':
          result += "&quot;";
          break;
        case '\'':
          result += "&apos;";
          break;
        default:
          result += letter;
      }
    }
    if (end == rest.size()) return result;
    result += '\n';
    rest.remove_prefix(end + 1);
  }
}

// In attributes a line break would be read as a space.
std::string attribute(std::string_view text) { return escape(clean(text)); }

double seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

struct Suite {
  std::vector<const CheckResult*> cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::chrono::nanoseconds elapsed{0};
};

// JUnit's failure: the code under test is wrong, or not known to be right. Error: the run itself.
bool is_error(Judgement judgement) { return exit_code(judgement) == 3; }

std::string details(const CheckResult& result) {
  std::string text = explain(result) + "\n";
  if (!result.trace_file.empty()) text += "replay: heddle replay " + result.trace_file + "\n";
  if (result.report.failure) text += "\n" + view(result.report.failure->trace, {120, false, true});
  return text;
}

std::string case_element(const std::string& suite, const CheckResult& result) {
  const Judgement judgement = judge(result);
  std::string text = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.3f}\"",
      attribute(suite), attribute(result.name), attribute(result.file), result.line,
      seconds(result.report.elapsed));
  if (is_fine(judgement)) {
    return text + fmt::format(">\n      <system-out>{}: {}, {}</system-out>\n    </testcase>\n",
                              escape(word_for(judgement)), escape(result.shows),
                              counted(result.report.executions, "execution"));
  }
  const std::string_view tag = is_error(judgement) ? "error" : "failure";
  return text + fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n",
                            tag, to_string(judgement), attribute(explain(result)),
                            escape(details(result)), tag);
}

}  // namespace

std::string junit_document(const RunInfo& run, std::span<const CheckResult> results) {
  std::map<std::string, Suite> suites;
  Suite all;
  for (const CheckResult& result : results) {
    const Judgement judgement = judge(result);
    for (Suite* suite : {&suites[result.group.empty() ? "scenarios" : result.group], &all}) {
      suite->cases.push_back(&result);
      if (!is_fine(judgement)) ++(is_error(judgement) ? suite->errors : suite->failures);
      suite->elapsed += result.report.elapsed;
    }
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuites name=\"heddle\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
      all.cases.size(), all.failures, all.errors, seconds(run.elapsed));
  for (const auto& [name, suite] : suites) {
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" "
        "time=\"{:.3f}\">\n",
        attribute(name), suite.cases.size(), suite.failures, suite.errors, seconds(suite.elapsed));
    text += fmt::format(
        "    <properties>\n"
        "      <property name=\"memory_model\" value=\"{}\"/>\n"
        "      <property name=\"strategy\" value=\"{}\"/>\n"
        "      <property name=\"seed\" value=\"{}\"/>\n"
        "    </properties>\n",
        to_string(run.memory_model), strategy_name(run.strategy), run.seed);
    for (const CheckResult* one : suite.cases) text += case_element(name, *one);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace heddle::sim::report
