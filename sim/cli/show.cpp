#include <exception>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/report/chrome_trace.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/html_page.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;

// One of the files that a trace can be drawn into.
struct Drawing {
  std::string option;
  std::string target;  // as given: a file, or a directory
  std::string ending;
  std::string (*draw)(const Trace&, const fs::path&);
};

std::string draw_page(const Trace& trace, const fs::path& file) {
  report::Sources sources = report::Sources::around(file);
  return report::html_page(trace, sources, {trace.decisive});
}

std::string draw_chrome_trace(const Trace& trace, const fs::path&) {
  return report::chrome_trace(trace);
}

// "traces/x.trace.json" in a directory is "x.html".
fs::path target_of(const Drawing& drawing, const fs::path& trace_file) {
  std::error_code error;
  if (!fs::is_directory(drawing.target, error)) return drawing.target;
  std::string name = trace_file.filename().string();
  const std::string_view suffix = trace::file_suffix;
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  return fs::path(drawing.target) / (name + drawing.ending);
}

// All before anything is written: who gets an error has lost nothing.
void check_targets(const Drawing& drawing, const std::vector<fs::path>& files, bool overwrite) {
  std::error_code error;
  if (!fs::is_directory(drawing.target, error) && files.size() > 1) {
    throw UsageError(
        fmt::format("{} {}: a file holds one trace, and there are {}; give a directory that exists",
                    drawing.option, drawing.target, files.size()));
  }
  std::set<fs::path> taken;
  for (const fs::path& file : files) {
    const fs::path target = target_of(drawing, file);
    const std::string named = fmt::format("{} {}", drawing.option, target.string());
    check_output(drawing.option, target.string());
    if (!taken.insert(target).second) {
      throw UsageError(fmt::format("{}: two of the traces would be written to it", named));
    }
    if (fs::equivalent(target, file, error)) {
      throw UsageError(fmt::format("{}: that is the trace itself", named));
    }
    if (fs::is_regular_file(target, error) && !overwrite) {
      throw UsageError(fmt::format("{}: the file exists; --overwrite replaces it", named));
    }
  }
}

}  // namespace

int show(const ShowArguments& arguments, Console& console) {
  std::vector<fs::path> files;
  for (const std::string& path : arguments.paths) {
    const auto found = trace::find(path);
    files.insert(files.end(), found.begin(), found.end());
  }
  std::vector<Drawing> drawings;
  if (!arguments.html_file.empty()) {
    drawings.push_back({"--html", arguments.html_file, ".html", &draw_page});
  }
  if (!arguments.perfetto_file.empty()) {
    drawings.push_back(
        {"--perfetto", arguments.perfetto_file, ".perfetto.json", &draw_chrome_trace});
  }
  for (const Drawing& drawing : drawings) check_targets(drawing, files, arguments.overwrite);
  if (drawings.size() == 2 && !files.empty() &&
      target_of(drawings[0], files[0]) == target_of(drawings[1], files[0])) {
    throw UsageError("--html and --perfetto need a file each");
  }
  std::string_view separator;
  for (const fs::path& file : files) {
    const Trace trace = trace::read(file);
    for (const Drawing& drawing : drawings) {
      const fs::path target = target_of(drawing, file);
      try {
        trace::write_file(target, drawing.draw(trace, file));
      } catch (const std::exception& error) {
        throw UsageError(fmt::format("{} {}: {}", drawing.option, target.string(), error.what()));
      }
      console.out << fmt::format("{}: {}\n", file.string(), target.string());
    }
    if (!drawings.empty()) continue;
    console.out << separator
                << report::view(trace, {console.width, console.colour, !arguments.every_step});
    separator = "\n";
  }
  return success;
}

}  // namespace heddle::sim::cli
