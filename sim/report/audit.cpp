#include <heddle/sim/report/audit.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/sites_value.hpp>
#include <heddle/sim/report/table.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

using Finding = AuditRow::Finding;
using nlohmann::ordered_json;

std::size_t count(std::span<const AuditRow> rows, Finding finding) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const AuditRow& row) { return row.finding == finding; }));
}

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// "Deque<T>::pop" of "std::optional<…> heddle::on_sim::Deque<T>::pop(…) [with T = …]".
std::string short_function(std::string_view function) {
  function = function.substr(0, function.find('('));
  const std::size_t space = function.rfind(' ');
  if (space != std::string_view::npos) function.remove_prefix(space + 1);
  for (const std::string_view outer : {"heddle::", "on_sim::"}) {
    if (function.starts_with(outer)) function.remove_prefix(outer.size());
  }
  return std::string(function);
}

}  // namespace

std::string_view to_string(Finding finding) noexcept {
  switch (finding) {
    case Finding::needed:
      return "needed";
    case Finding::not_needed:
      return "not_needed";
    case Finding::undecided:
      break;
  }
  return "undecided";
}

std::string finding_text(const AuditRow& row) {
  switch (row.finding) {
    case Finding::needed:
      return fmt::format("needed by {}: {}", row.needed_by, row.failure);
    case Finding::not_needed:
      return fmt::format("not needed within these bounds ({}, {})",
                         counted(row.scenarios.size(), "scenario"),
                         counted(row.executions, "execution"));
    case Finding::undecided:
      break;
  }
  return fmt::format("undecided: {}", row.undecided_by);
}

std::string change_text(const AuditRow& row) {
  return fmt::format("{}{}{} → {}", row.part, row.part.empty() ? "" : " ", row.from, row.to);
}

std::string audit_line(std::span<const AuditRow> rows) {
  std::set<Site> sites;
  std::size_t unexplained = 0;
  for (const AuditRow& row : rows) {
    sites.insert(row.site);
    if (!row.is_explained()) ++unexplained;
  }
  return fmt::format("{} at {}: {} needed, {} not needed, {} undecided; {} not explained",
                     counted(rows.size(), "weaker order"), counted(sites.size(), "site"),
                     count(rows, Finding::needed), count(rows, Finding::not_needed),
                     count(rows, Finding::undecided), unexplained);
}

std::string audit_table(const AuditInfo& info, std::span<const AuditRow> rows, std::size_t width,
                        bool colour) {
  const Painter paint(colour);
  Table table({{"site", false, false},
               {"operation", false, false},
               {"order", false, false},
               {"finding", false, true}});
  for (const AuditRow& row : rows) {
    const bool is_needed = row.finding == Finding::needed;
    const Style style = is_needed ? Style::green : row.note.empty() ? Style::red : Style::yellow;
    std::string text = finding_text(row);
    if (!row.trace_file.empty()) text += fmt::format(", {}", row.trace_file);
    if (!row.note.empty()) text += fmt::format(". {}", row.note);
    table.add({{row.site.place()}, {row.site.operation}, {change_text(row)}, {text, style}});
  }
  std::string text = table.empty() ? "" : table.text(width, paint) + "\n";
  text += fmt::format("{}.\n", audit_line(rows));
  const auto say = [&](std::string_view what, const std::vector<std::string>& names) {
    if (!names.empty()) text += fmt::format("{}: {}\n", what, list_of(names));
  };
  say("sampled, so that they can only show a need", info.sampled);
  say("not explored to the end even as they are", info.incomplete);
  say("left out", info.left_out);
  text += fmt::format("{} explored as they are, {}\n", counted(info.exhausted.size(), "scenario"),
                      duration_text(info.elapsed));
  return text;
}

std::string audit_markdown(const AuditInfo& info, std::span<const AuditRow> rows) {
  std::string text = fmt::format(
      "{}.\n\n"
      "* Sites: {}\n* Scenarios explored to the end: {}\n* Only sampled: {}\n"
      "* Not explored to the end, so that they can only show a need: {}\n* Left out: {}\n",
      audit_line(rows), info.sites, list_of(info.exhausted), list_of(info.sampled),
      list_of(info.incomplete), list_of(info.left_out));
  std::string file;
  for (const AuditRow& row : rows) {
    if (row.site.file != file) {
      file = row.site.file;
      text += fmt::format(
          "\n### {}\n\n| line | function | operation | order | finding | why |\n"
          "|---|---|---|---|---|---|\n",
          file);
    }
    const bool is_needed = row.finding == Finding::needed;
    const std::string why = is_needed          ? row.message
                            : row.note.empty() ? "**not explained**"
                                               : row.note;
    text += fmt::format("| {} | `{}` | {} | {} | {} | {} |\n", row.site.line,
                        markdown_cell(short_function(row.site.function)), row.site.operation,
                        markdown_cell(change_text(row)), markdown_cell(finding_text(row)),
                        markdown_cell(why));
  }
  return text;
}

ordered_json audit_value(const AuditInfo& info, std::span<const AuditRow> rows) {
  ordered_json document;
  document["format"] = "heddle-audit";
  document["version"] = 1;
  document["sites"] = info.sites;
  document["exhausted"] = info.exhausted;
  document["sampled"] = info.sampled;
  document["incomplete"] = info.incomplete;
  document["left_out"] = info.left_out;
  document["elapsed_ns"] = info.elapsed.count();
  ordered_json list = ordered_json::array();
  for (const AuditRow& row : rows) {
    ordered_json value;
    value["site"] = to_value(row.site);
    if (!row.part.empty()) value["part"] = row.part;
    value["from"] = row.from;
    value["to"] = row.to;
    value["finding"] = to_string(row.finding);
    value["scenarios"] = row.scenarios;
    value["executions"] = row.executions;
    const auto put = [&](const char* name, const std::string& one) {
      if (!one.empty()) value[name] = one;
    };
    put("needed_by", row.needed_by);
    put("failure", row.failure);
    put("message", row.message);
    put("trace_file", row.trace_file);
    put("undecided_by", row.undecided_by);
    put("note", row.note);
    list.push_back(std::move(value));
  }
  document["rows"] = std::move(list);
  return document;
}

}  // namespace heddle::sim::report
