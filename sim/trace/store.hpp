// Trace files by name: DIR/<scenario>.trace.json. Nothing is overwritten unless it is the same
// scenario's trace and that was asked for.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/trace_error.hpp>

namespace heddle::sim::trace {

inline constexpr std::string_view file_suffix = ".trace.json";

/// True for names that can name a scenario and a file: letters, digits, '_', '-', '.', '+', not
/// starting with '.' or '-', at most 200 bytes.
bool is_scenario_name(std::string_view name);

/// Where the trace of `scenario` belongs in `directory`.
std::filesystem::path path_for(const std::filesystem::path& directory, std::string_view scenario);

/// Errors: TraceError, which names the file.
Trace read(const std::filesystem::path& file);

enum class Existing { keep, replace };
enum class Stored {
  written,
  unchanged,  ///< the file holds this very trace
  kept        ///< the file holds another trace of this scenario, and Existing::keep was given
};

/// Stores `trace` in `directory`, which is made where it is missing.
/// Errors: TraceError when the name is taken by what is not a trace of this scenario (whatever
/// `existing` says), or when the file cannot be written.
[[nodiscard]] Stored store(const std::filesystem::path& directory, const Trace& trace,
                           Existing existing);

/// The files that `path` names: itself, or the traces in a directory and below, sorted by name.
/// Errors: TraceError when it does not exist, or is a directory without traces.
std::vector<std::filesystem::path> find(const std::filesystem::path& path);

}  // namespace heddle::sim::trace
