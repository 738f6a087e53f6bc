#include <heddle/sim/cli/output_files.hpp>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/report/documents.hpp>
#include <heddle/sim/trace/atomic_file.hpp>

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;

bool writable(const fs::path& path) { return ::access(path.c_str(), W_OK) == 0; }

// The nearest directory that exists must let us make the rest.
void check_directory(const std::string& name) {
  if (name.empty()) return;
  std::error_code error;
  fs::path existing = fs::absolute(name, error);
  while (!fs::exists(existing, error) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, error)) {
    throw UsageError(fmt::format("--record {}: '{}' is not a directory", name, existing.string()));
  }
  if (!writable(existing)) {
    throw UsageError(fmt::format("--record {}: '{}' cannot be written", name, existing.string()));
  }
}

}  // namespace

void check_output(const std::string& option, const std::string& file) {
  if (file.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("{} {}: {}", option, file, why));
  };
  std::error_code error;
  const fs::path path(file);
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(path, error)) refuse("is a directory; give the name of a file");
  if (!fs::is_directory(directory, error)) {
    refuse(fmt::format("there is no directory '{}'", directory.string()));
  }
  const bool replaced = !fs::exists(path, error) || fs::is_regular_file(path, error);
  if (!writable(replaced ? directory : path)) refuse("cannot be written");
}

void check_outputs(const std::vector<std::pair<std::string, std::string>>& files,
                   const std::string& record_directory) {
  for (const auto& [option, file] : files) check_output(option, file);
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const auto& [option, file] = files[i];
      if (file.empty() || files[j].second.empty()) continue;
      if (fs::path(file).lexically_normal() != fs::path(files[j].second).lexically_normal()) {
        continue;
      }
      throw UsageError(fmt::format("{} and {} need a file each", option, files[j].first));
    }
  }
  check_directory(record_directory);
}

void check_outputs(const OutputFiles& files, const std::string& record_directory) {
  check_outputs({{"--json", files.json}, {"--junit", files.junit}, {"--sarif", files.sarif}},
                record_directory);
}

bool write_text(const std::string& file, std::string_view text, Console& console) {
  if (file.empty()) return true;
  try {
    trace::write_file(file, text);
    return true;
  } catch (const std::exception& error) {
    console.err << fmt::format("heddle: {}: {}\n", file, error.what());
    return false;
  }
}

bool write_outputs(const OutputFiles& files, const report::RunInfo& run,
                   std::span<const report::CheckResult> results, Console& console) {
  using Results = std::span<const report::CheckResult>;
  using Document = std::function<std::string(const report::RunInfo&, Results)>;
  const auto junit = [](const report::RunInfo& info, Results of) {
    return report::junit_document(info, of);
  };
  const auto sarif = [](const report::RunInfo& info, Results of) {
    return report::sarif_document(info, of);
  };
  const struct {
    const std::string& file;
    Document document;
  } wanted[] = {{files.json, &report::json_document}, {files.junit, junit}, {files.sarif, sarif}};
  bool written = true;
  for (const auto& one : wanted) {
    if (one.file.empty()) continue;
    if (!write_text(one.file, one.document(run, results), console)) written = false;
  }
  return written;
}

}  // namespace heddle::sim::cli
