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

void check_outputs(const OutputFiles& files, const std::string& record_directory) {
  check_output("--json", files.json);
  check_output("--junit", files.junit);
  check_output("--sarif", files.sarif);
  const auto same = [](const std::string& a, const std::string& b) {
    return !a.empty() && fs::path(a).lexically_normal() == fs::path(b).lexically_normal();
  };
  if (same(files.json, files.junit) || same(files.json, files.sarif) ||
      same(files.junit, files.sarif)) {
    throw UsageError("--json, --junit and --sarif need a file each");
  }
  check_directory(record_directory);
}

bool write_outputs(const OutputFiles& files, const report::RunInfo& run,
                   std::span<const report::CheckResult> results, Console& console) {
  using Document = std::string (*)(const report::RunInfo&, std::span<const report::CheckResult>);
  const struct {
    const std::string& file;
    Document document;
  } wanted[] = {{files.json, &report::json_document},
                {files.junit, &report::junit_document},
                {files.sarif, &report::sarif_document}};
  bool written = true;
  for (const auto& one : wanted) {
    if (one.file.empty()) continue;
    try {
      trace::write_file(one.file, one.document(run, results));
    } catch (const std::exception& error) {
      console.err << fmt::format("heddle: {}: {}\n", one.file, error.what());
      written = false;
    }
  }
  return written;
}

}  // namespace heddle::sim::cli
