// Files that are either the old or the new ones, never half of a new one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::sim::trace {

/// Writes a temporary file beside `path` and renames it over it; what is not a regular file (a
/// pipe, a terminal) is written to directly. On an error the old file is untouched.
/// Errors: std::runtime_error that says why (without the file's name).
void write_file(const std::filesystem::path& path, std::string_view content);

/// The content of a regular file of at most `bytes_max`.
/// Errors: std::runtime_error that says why (without the file's name).
std::string read_file(const std::filesystem::path& path, std::size_t bytes_max);

}  // namespace heddle::sim::trace
