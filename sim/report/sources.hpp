// The source files that a trace names, as they are on this disk now.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sim::report {

/// Finds and reads source files. A trace may come from somebody else: only names that look like a
/// source file are read, and relative ones only below the folders given.
class Sources {
 public:
  /// Relative names are looked for in `folders`, in their order.
  explicit Sources(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}
  /// Finds nothing.
  Sources() = default;

  /// Where sources of the trace in `trace_file` may lie: the working directory, the folder of the
  /// file, and the folders above each.
  static Sources around(const std::filesystem::path& trace_file);

  /// The lines of a file, without line ends; nothing when it is not found. Read once.
  const std::vector<std::string>* lines(const std::string& file);

  /// Line `line`, from 1; nothing when there is no such line.
  std::optional<std::string> line(const std::string& file, std::uint32_t line);

 private:
  std::vector<std::filesystem::path> folders_;
  std::map<std::string, std::optional<std::vector<std::string>>> files_;
};

}  // namespace heddle::sim::report
