// What `heddle audit` found: a row for each weaker memory order that was tried at a site, the notes
// that explain rows, and the tables of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/sites.hpp>

namespace heddle::sim::report {

struct AuditRow {
  enum class Finding : std::uint8_t {
    needed,      ///< with the weaker order a scenario fails
    not_needed,  ///< every scenario that reaches the site was explored, and none fails
    undecided    ///< none fails, but not all of them were explored
  };

  Site site;
  std::string part;  ///< compare_exchange: "success" or "failure"; else empty
  std::string from;
  std::string to;  ///< "none" for a fence that was taken away
  TraceWeakening weakening;

  Finding finding = Finding::undecided;
  std::vector<std::string> scenarios;  ///< that ran with it, in this order
  std::uint64_t executions = 0;        ///< of all of them
  std::string needed_by;               ///< the scenario
  std::string failure;                 ///< its kind, or "crash"
  std::string message;
  std::string trace_file;  ///< empty: not recorded
  std::string undecided_by;
  std::string note;  ///< why the row is as it is, from the file of notes

  bool is_explained() const { return finding == Finding::needed || !note.empty(); }
};

std::string_view to_string(AuditRow::Finding finding) noexcept;

/// A sentence for people: "needed by two_thieves: data_race".
std::string finding_text(const AuditRow& row);
/// "success acq_rel → release"
std::string change_text(const AuditRow& row);

/// The single steps by which the orders of a site can be weakened, as rows without a finding.
std::vector<AuditRow> weaker_orders(const Site& site);
/// The further steps from a row that nothing needs.
std::vector<AuditRow> weaker_orders(const AuditRow& row);

/// A reviewed explanation of rows. In the file, one per line, with globs:
///   FILE | FUNCTION | OPERATION | CHANGE | reason
///   scheduler/queues/deque.hpp | *::pop* | load | seq_cst -> acquire | the fence before it …
struct AuditNote {
  std::string file;
  std::string function;
  std::string operation;
  std::string change;
  std::string reason;
  std::uint32_t line = 0;  ///< in the file of notes
  bool used = false;
};

/// Errors: std::runtime_error, which names file and line.
std::vector<AuditNote> read_audit_notes(const std::string& file);
/// The first note that fits explains a row that is not needed or undecided.
void explain_rows(std::span<AuditRow> rows, std::span<AuditNote> notes);

struct AuditInfo {
  std::string sites;                    ///< the prefixes of paths that were asked for
  std::vector<std::string> exhausted;   ///< scenarios that were explored as they are
  std::vector<std::string> sampled;     ///< that were only sampled
  std::vector<std::string> incomplete;  ///< with what stopped them
  std::vector<std::string> left_out;    ///< with the reason
  std::chrono::nanoseconds elapsed{0};
};

std::string audit_table(const AuditInfo& info, std::span<const AuditRow> rows, std::size_t width,
                        bool colour);
std::string audit_markdown(const AuditInfo& info, std::span<const AuditRow> rows);
nlohmann::ordered_json audit_value(const AuditInfo& info, std::span<const AuditRow> rows);

/// "57 weaker orders at 23 sites: 40 needed, 15 not needed, 2 undecided; 1 not explained".
std::string audit_line(std::span<const AuditRow> rows);

}  // namespace heddle::sim::report
