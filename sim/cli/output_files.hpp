// The files that `heddle check` writes at its end: looked at before the work, so that a long run is
// not lost to a mistyped path.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <heddle/sim/cli/console.hpp>
#include <heddle/sim/report/check_result.hpp>

namespace heddle::sim::cli {

/// Empty: not wanted.
struct OutputFiles {
  std::string json;
  std::string junit;
  std::string sarif;
};

/// Looks at one file before the work; `option` is its name in messages, an empty file is fine.
/// Errors: UsageError when it cannot be written.
void check_output(const std::string& option, const std::string& file);

/// Errors: UsageError when a file or the directory for traces cannot be written.
void check_outputs(const OutputFiles& files, const std::string& record_directory);

/// The same for any files, each with the option that it was given by.
void check_outputs(const std::vector<std::pair<std::string, std::string>>& files,
                   const std::string& record_directory);

/// Writes `text` unless `file` is empty; complains and returns false when that cannot be.
[[nodiscard]] bool write_text(const std::string& file, std::string_view text, Console& console);

/// Writes what is wanted; complains and returns false when something cannot be written.
[[nodiscard]] bool write_outputs(const OutputFiles& files, const report::RunInfo& run,
                                 std::span<const report::CheckResult> results, Console& console);

}  // namespace heddle::sim::cli
