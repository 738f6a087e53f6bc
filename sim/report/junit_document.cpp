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

std::string case_element(const Finding& finding) {
  const std::string place =
      finding.file.empty()
          ? ""
          : fmt::format(" file=\"{}\" line=\"{}\"", attribute(finding.file), finding.line);
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"{} time=\"{:.3f}\"",
                                 attribute(finding.suite), attribute(finding.name), place,
                                 seconds(finding.elapsed));
  if (finding.state == Finding::State::fine) {
    return text + fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                              escape(finding.message));
  }
  return text + fmt::format(
                    ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n"
                    "    </testcase>\n",
                    attribute(finding.rule), attribute(finding.message), escape(finding.details));
}

std::string suite_elements(std::span<const Finding> findings) {
  std::map<std::string, std::vector<const Finding*>> suites;
  for (const Finding& one : findings) suites[one.suite].push_back(&one);
  std::string text;
  for (const auto& [name, cases] : suites) {
    std::size_t failures = 0;
    std::chrono::nanoseconds elapsed{0};
    for (const Finding* one : cases) {
      if (one->state != Finding::State::fine) ++failures;
      elapsed += one->elapsed;
    }
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" "
        "time=\"{:.3f}\">\n",
        attribute(name), cases.size(), failures, seconds(elapsed));
    for (const Finding* one : cases) text += case_element(*one);
    text += "  </testsuite>\n";
  }
  return text;
}

}  // namespace

std::string junit_document(const RunInfo& run, std::span<const CheckResult> results,
                           std::span<const Finding> findings) {
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
  std::size_t tests = all.cases.size();
  for (const Finding& one : findings) {
    ++tests;
    if (one.state != Finding::State::fine) ++all.failures;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuites name=\"heddle\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
      tests, all.failures, all.errors, seconds(run.elapsed));
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
  return text + suite_elements(findings) + "</testsuites>\n";
}

}  // namespace heddle::sim::report
