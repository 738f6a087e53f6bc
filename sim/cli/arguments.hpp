// The command line taken apart. Every value is checked here.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <heddle/sim/explore/options.hpp>

namespace heddle::sim::cli {

struct ListArguments {
  std::vector<std::string> names;
  std::string group;
};

struct CheckArguments {
  std::vector<std::string> names;
  std::string group;
  MemoryModel memory_model = MemoryModel::rc11;
  Strategy strategy = Strategy::exhaustive;
  unsigned jobs = 1;
  std::chrono::nanoseconds time_limit{0};  ///< per scenario; 0: none
  std::uint64_t max_executions = 0;        ///< per scenario; 0: no limit
  std::uint64_t seed = 0;
  unsigned preemption_bound = 2;
  unsigned pct_depth = 3;
  std::string json_file;
  std::string junit_file;
  std::string sarif_file;
  std::string record_directory;
  bool overwrite = false;
  std::string checkpoint_file;
  bool resume = false;
  unsigned shard = 0;    ///< 1..shards
  unsigned shards = 0;   ///< 0: everything
  bool minimise = true;  ///< failing traces, before they are shown and recorded
  bool in_process = false;
  bool quiet = false;
};

struct ReplayArguments {
  std::vector<std::string> paths;
  std::optional<std::uint64_t> break_at;
  bool update = false;  ///< write repaired traces over the old ones
  bool quiet = false;
};

struct MinimiseArguments {
  std::vector<std::string> paths;
  std::string output_file;                                         ///< empty: only shown
  std::chrono::nanoseconds time_limit = std::chrono::seconds(60);  ///< per trace
  bool overwrite = false;  ///< without an output: the trace itself; with one: what is there
  bool quiet = false;
};

struct ShowArguments {
  std::vector<std::string> paths;
  bool every_step = false;
  std::string html_file;      ///< a file, or a directory for a page per trace
  std::string perfetto_file;  ///< likewise
  bool overwrite = false;
};

struct MergeArguments {
  std::vector<std::string> reports;
  std::string json_file;
  std::string junit_file;
  std::string sarif_file;
};

struct AuditArguments {
  std::vector<std::string> names;
  std::string group;
  std::vector<std::string> sites;  ///< prefixes of paths; none: everything not under sim/
  MemoryModel memory_model = MemoryModel::rc11;
  unsigned jobs = 1;
  std::chrono::nanoseconds time_limit{0};                   ///< of all; 0: none
  std::chrono::nanoseconds each{std::chrono::seconds(60)};  ///< of one scenario with one order
  std::string notes_file;
  bool strict = false;
  std::string json_file;
  std::string markdown_file;
  std::string record_directory;
  bool quiet = false;
};

struct CoverageArguments {
  std::vector<std::string> names;
  std::string group;
  std::vector<std::string> sites;
  MemoryModel memory_model = MemoryModel::rc11;
  unsigned jobs = 1;
  std::chrono::nanoseconds time_limit{0};  ///< per scenario; 0: none
  std::string sources;                     ///< directory; empty: do not look for more sites
  std::string json_file;
  std::string markdown_file;
  bool quiet = false;
};

struct GateArguments {
  std::vector<std::string> names;
  std::string group;
  std::vector<std::string> sites;
  unsigned jobs = 1;
  std::chrono::nanoseconds time_limit{std::chrono::minutes(10)};
  std::uint64_t seed = 0;
  std::string output = "heddle-gate";
  std::string traces;  ///< directory; empty: "traces" where there is one
  std::string notes_file;
  std::vector<std::string> skip;  ///< parts that are left out, by name
  bool quiet = false;
};

/// What `--help` or `--version` prints.
struct HelpArguments {
  std::string text;
};

using Arguments =
    std::variant<ListArguments, CheckArguments, ReplayArguments, MinimiseArguments, ShowArguments,
                 MergeArguments, AuditArguments, CoverageArguments, GateArguments, HelpArguments>;

/// Errors: UsageError, with what was probably meant.
Arguments parse(const std::vector<std::string>& arguments);

/// "90s", "500ms", "2m", "1h30m", "45" (seconds), or nothing.
std::optional<std::chrono::nanoseconds> parse_duration(const std::string& text);

}  // namespace heddle::sim::cli
