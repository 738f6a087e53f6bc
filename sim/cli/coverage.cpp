#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/coverage_run.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/cli/select.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;

using report::Coverage;

constexpr std::size_t source_bytes_max = 4 * 1024 * 1024;

bool is_source(const fs::path& file) {
  const std::string end = file.extension().string();
  return end == ".hpp" || end == ".cpp" || end == ".h" || end == ".cc" || end == ".hh" ||
         end == ".cxx" || end == ".ipp";
}

// Neither builds nor what is hidden.
bool is_passed_over(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return name.starts_with('.') || name.starts_with("build");
}

}  // namespace

Coverage coverage_of(const std::vector<Baseline>& baselines,
                     const std::vector<std::string>& prefixes) {
  Coverage coverage;
  for (const Baseline& one : baselines) {
    const report::Judgement judgement = report::judge(one.result);
    const std::string& name = one.scenario->name;
    if (one.scenario->options.expect) {
      coverage.left_out.push_back(name + " (known bad)");
      continue;
    }
    if (!report::is_fine(judgement) || judgement == report::Judgement::sampled) {
      const std::string& bound = one.result.report.bound;
      coverage.incomplete.push_back(
          fmt::format("{} ({}{}{})", name, word_for(judgement), bound.empty() ? "" : ": ", bound));
    }
    SiteOutcomes asked_for;
    for (const auto& [site, outcomes] : one.sites) {
      if (is_asked_for(site, prefixes)) asked_for[site] = outcomes;
    }
    report::add_sites(coverage, name, asked_for);
  }
  return coverage;
}

void look_at_sources(Coverage& coverage, const std::string& root,
                     const std::vector<std::string>& prefixes) {
  coverage.looked_at_sources = true;
  std::vector<fs::path> files;
  auto at = fs::recursive_directory_iterator(root);
  for (const auto end = fs::recursive_directory_iterator(); at != end; ++at) {
    if (at->is_directory() && is_passed_over(at->path())) at.disable_recursion_pending();
    if (at->is_regular_file() && is_source(at->path())) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    Site site;
    site.file = fs::relative(file, root).generic_string();
    if (!is_asked_for(site, prefixes)) continue;
    const std::string source = trace::read_file(file, source_bytes_max);
    for (auto& line : report::unreached_lines(site.file, source, coverage.rows)) {
      coverage.unreached_lines.push_back(std::move(line));
    }
  }
}

int coverage(const Program& program, const CoverageArguments& arguments, Console& console) {
  BaselineQuestion question;
  question.scenarios = select(program.scenarios, arguments.names, arguments.group);
  check_outputs({{"--json", arguments.json_file}, {"--markdown", arguments.markdown_file}}, "");
  if (!arguments.sources.empty() && !fs::is_directory(arguments.sources)) {
    throw UsageError(fmt::format("--sources {}: is not a directory", arguments.sources));
  }
  question.memory_model = arguments.memory_model;
  question.processes = arguments.jobs;
  question.each = arguments.time_limit;
  question.quiet = arguments.quiet;
  std::erase_if(question.scenarios, [](const Scenario* one) { return one->options.expect; });
  const auto baselines = run_baseline(program, question, console);
  Coverage found = coverage_of(baselines, arguments.sites);
  if (!arguments.sources.empty()) look_at_sources(found, arguments.sources, arguments.sites);
  console.out << report::coverage_table(found, console.width, console.colour);
  std::vector<report::CheckResult> results;
  for (const Baseline& one : baselines) results.push_back(one.result);
  int code = report::exit_code(results);
  const auto write = [&](const std::string& file, const std::string& text) {
    if (!write_text(file, text, console) && code == success) code = usage;
  };
  write(arguments.json_file, trace::dump(report::coverage_value(found), 2) + "\n");
  write(arguments.markdown_file, report::coverage_markdown(found));
  return code;
}

}  // namespace heddle::sim::cli
