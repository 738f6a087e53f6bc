#include <heddle/sim/trace/store.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json.hpp>

namespace heddle::sim::trace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t trace_bytes_max = std::size_t{256} << 20;

// Refuses to write over what is not a trace of the same scenario.
void check_not_foreign(const fs::path& file, const Trace& trace) {
  const auto refuse = [&](const std::string& what) {
    throw TraceError(file.string(), "", what + "; it was left as it is",
                     "Move it away, or give another directory to --record.");
  };
  std::optional<Trace> found;
  try {
    found = read(file);
  } catch (const TraceError&) {
    refuse("exists and is not a usable trace");
  }
  if (found->scenario != trace.scenario) {
    refuse(
        fmt::format("is a trace of scenario '{}', not of '{}'", found->scenario, trace.scenario));
  }
}

}  // namespace

bool is_scenario_name(std::string_view name) {
  constexpr std::size_t bytes_max = 200;  // with the suffix below the 255 of common file systems
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";
  if (name.empty() || name.size() > bytes_max) return false;
  if (name.front() == '.' || name.front() == '-') return false;
  return name.find_first_not_of(allowed) == std::string_view::npos;
}

fs::path path_for(const fs::path& directory, std::string_view scenario) {
  return directory / (std::string(scenario) + std::string(file_suffix));
}

Trace read(const fs::path& file) {
  std::string text;
  try {
    text = read_file(file, trace_bytes_max);
  } catch (const std::runtime_error& error) {
    throw TraceError(file.string(), "", error.what(),
                     "Give the path of a file that `heddle check --record DIR` wrote.");
  }
  return read_json(text, file.string());
}

Stored store(const fs::path& directory, const Trace& trace, Existing existing) {
  const fs::path file = path_for(directory, trace.scenario);
  if (!is_scenario_name(trace.scenario)) {
    throw TraceError(file.string(), "scenario",
                     fmt::format("'{}' cannot name a file", trace.scenario),
                     "Use letters, digits, '_', '-', '.' and '+' in names of scenarios.");
  }
  std::error_code error;
  fs::create_directories(directory, error);
  const std::string text = write_json(trace);
  if (fs::exists(fs::symlink_status(file, error))) {
    check_not_foreign(file, trace);
    if (read_file(file, trace_bytes_max) == text) return Stored::unchanged;
    if (existing == Existing::keep) return Stored::kept;
  }
  try {
    write_file(file, text);
  } catch (const std::runtime_error& problem) {
    throw TraceError(file.string(), "", problem.what(), "Give a directory that can be written.");
  }
  return Stored::written;
}

std::vector<fs::path> find(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw TraceError(path.string(), "", "there is no such file or directory",
                     "Give a trace that `heddle check --record DIR` wrote, or such a directory.");
  }
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(file_suffix) && entry.is_regular_file(error)) found.push_back(entry.path());
  }
  if (found.empty()) {
    throw TraceError(path.string(), "", fmt::format("no *{} in this directory", file_suffix),
                     "Record traces with `heddle check --record DIR`.");
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace heddle::sim::trace
