// Which weaker orders there are, and which notes fit which rows.

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fnmatch.h>

#include <heddle/sim/report/audit.hpp>

namespace heddle::sim::report {
namespace {

// One step down. What reads knows no release, what writes no acquire.
std::vector<std::string> steps_from(const std::string& order, bool reads, bool writes) {
  if (order == "seq_cst") {
    if (reads && writes) return {"acq_rel"};
    return {reads ? "acquire" : "release"};
  }
  if (order == "acq_rel") return {"acquire", "release"};
  if (order == "relaxed") return {};
  return {"relaxed"};
}

AuditRow row_for(const Site& site, const TraceWeakening& before, std::string part,
                 const std::string& to) {
  AuditRow row;
  row.site = site;
  row.part = std::move(part);
  row.weakening = before;
  const bool fails = row.part == "failure";
  row.from = fails ? before.failure : before.order;
  (fails ? row.weakening.to_failure : row.weakening.to_order) = to;
  row.to = site.operation == "fence" && to == "relaxed" ? "none" : to;
  return row;
}

std::vector<AuditRow> rows_from(const Site& site, const TraceWeakening& now,
                                std::string_view part) {
  std::vector<AuditRow> rows;
  if (site.is_lock()) return rows;
  const bool exchanges = site.operation == "compare_exchange";
  const bool reads = site.operation != "store";
  const bool writes = site.operation != "load" && site.operation != "wait";
  const std::string success = exchanges ? "success" : "";
  if (part.empty() || part == "success") {
    for (const std::string& to : steps_from(now.to_order, reads, writes)) {
      rows.push_back(row_for(site, now, success, to));
    }
  }
  if (exchanges && (part.empty() || part == "failure")) {
    for (const std::string& to : steps_from(now.to_failure, true, false)) {
      rows.push_back(row_for(site, now, "failure", to));
    }
  }
  return rows;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool matches(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string plain_change(const AuditRow& row) {
  return fmt::format("{}{}{} -> {}", row.part, row.part.empty() ? "" : " ", row.from, row.to);
}

}  // namespace

std::vector<AuditRow> weaker_orders(const Site& site) {
  const std::string kind = site.operation;
  const TraceWeakening same = {kind,       site.file,    site.line,  site.column,
                               site.order, site.failure, site.order, site.failure};
  return rows_from(site, same, "");
}

std::vector<AuditRow> weaker_orders(const AuditRow& row) {
  return rows_from(row.site, row.weakening, row.part);
}

std::vector<AuditNote> read_audit_notes(const std::string& file) {
  std::ifstream input(file);
  if (!input) throw std::runtime_error(fmt::format("{}: cannot be read", file));
  std::vector<AuditNote> notes;
  std::uint32_t number = 0;
  for (std::string text; std::getline(input, text);) {
    ++number;
    std::string_view rest = trimmed(text);
    if (rest.empty() || rest.starts_with('#')) continue;
    std::vector<std::string> fields;
    while (fields.size() < 4) {
      const std::size_t end = rest.find('|');
      if (end == std::string_view::npos) break;
      fields.emplace_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
    }
    const std::string reason(trimmed(rest));
    if (fields.size() != 4 || reason.empty()) {
      throw std::runtime_error(fmt::format(
          "{}:{}: is not 'FILE | FUNCTION | OPERATION | CHANGE | reason'", file, number));
    }
    notes.push_back({fields[0], fields[1], fields[2], fields[3], reason, number, false});
  }
  return notes;
}

void explain_rows(std::span<AuditRow> rows, std::span<AuditNote> notes) {
  for (AuditRow& row : rows) {
    if (row.finding == AuditRow::Finding::needed) continue;
    const auto found = std::find_if(notes.begin(), notes.end(), [&](const AuditNote& note) {
      return matches(note.file, row.site.file) && matches(note.function, row.site.function) &&
             matches(note.operation, row.site.operation) && matches(note.change, plain_change(row));
    });
    if (found == notes.end()) continue;
    found->used = true;
    row.note = found->reason;
  }
}

}  // namespace heddle::sim::report
