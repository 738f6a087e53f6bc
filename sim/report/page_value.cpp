#include <heddle/sim/report/page_value.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/report/fold.hpp>
#include <heddle/sim/report/given_names.hpp>
#include <heddle/sim/report/history.hpp>
#include <heddle/sim/report/history_conflict.hpp>
#include <heddle/sim/report/relations.hpp>
#include <heddle/sim/report/relevance.hpp>
#include <heddle/sim/report/stale_reads.hpp>
#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/story.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/report/waits.hpp>

namespace heddle::sim::report {
namespace {

using nlohmann::ordered_json;

// Lines of source shown before and behind one that a step is at.
constexpr std::uint32_t context_lines = 5;

std::string clean_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!result.empty()) result += '\n';
    result += clean(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

class Builder {
 public:
  Builder(const Trace& trace, Sources& sources, const PageOptions& options)
      : names_(given_names(trace, sources)),
        trace_(renamed(trace, names_)),
        relations_(trace_),
        sources_(sources),
        options_(options) {
    for (const auto& [id, name] : names_) ids_.emplace(name, id);
  }

  ordered_json build() {
    ordered_json value;
    head(value);
    value["threads"] = threads();
    value["steps"] = steps();
    value["rows"] = rows();
    value["synchronisations"] = synchronisations();
    value["stale"] = stale();
    value["operations"] = history();
    value["waits"] = waiting();
    value["locations"] = locations_;
    value["files"] = files();
    return value;
  }

 private:
  void head(ordered_json& value) {
    const Story story = tell(trace_, relations_);
    value["scenario"] = trace_.scenario.empty() ? "a body without name" : clean(trace_.scenario);
    value["kind"] = to_string(trace_.failure);
    value["title"] = story.title;
    value["story"] = story.sentences;
    if (!options_.decisive.empty()) value["decisive"] = clean(options_.decisive);
    value["message"] = clean_lines(trace_.message);
    if (!trace_.file.empty()) {
      value["file"] = file_number(trace_.file, trace_.line);
      value["line"] = trace_.line;
    }
    value["thread"] = thread_name(trace_.thread);
    value["execution"] = trace_.execution;
    value["memory_model"] = clean(trace_.memory_model);
    value["timeouts"] = trace_.timeouts;
    ordered_json& conflict = value["conflict"] = ordered_json::array();
    for (const std::string& place : trace_.conflict) conflict.push_back(clean(place));
  }

  ordered_json threads() const {
    ordered_json all = ordered_json::array();
    for (const std::uint32_t thread : relations_.threads()) {
      ordered_json one{{"name", thread_name(thread)}};
      for (std::size_t at = 0; at < trace_.steps.size(); ++at) {
        const TraceStep& step = trace_.steps[at];
        if (step.kind == TraceStep::Kind::spawn && step.other_thread == thread) {
          one["started_in"] = at;
          break;
        }
      }
      all.push_back(std::move(one));
    }
    return all;
  }

  ordered_json steps() {
    const std::vector<bool> relevant = relevant_steps(trace_, relations_);
    ordered_json all = ordered_json::array();
    for (std::size_t at = 0; at < trace_.steps.size(); ++at) {
      ordered_json one = step(at);
      one["relevant"] = static_cast<bool>(relevant[at]);
      all.push_back(std::move(one));
    }
    return all;
  }

  ordered_json step(std::size_t at) {
    const TraceStep& step = trace_.steps[at];
    const StepText text = text_of(trace_, at);
    ordered_json one;
    one["thread"] = relations_.thread_index(at);
    one["kind"] = to_string(step.kind);
    one["action"] = text.action;
    one["remarks"] = text.remarks;
    if (!step.order.empty()) one["order"] = clean(step.order);
    if (is_access(step)) {
      one["location"] = location_number(step);
      if (step.read) one["read"] = value_text(step.read);
      if (step.written) one["written"] = value_text(step.written);
      if (step.written) one["position"] = step.co_position;
      if (const auto source = relations_.source(at)) one["source"] = *source;
      one["stale"] = step.stale;
    }
    if (!step.file.empty()) {
      one["file"] = file_number(step.file, step.line);
      one["line"] = step.line;
    }
    if (!step.function.empty()) one["function"] = clean(step.function);
    one["clock"] = relations_.hb_clock(at);
    one["number"] = relations_.position(at);
    return one;
  }

  std::size_t location_number(const TraceStep& step) {
    const auto [found, is_new] = location_numbers_.try_emplace(step.location, locations_.size());
    if (is_new) {
      const auto id = ids_.find(step.location);
      ordered_json one{{"name", clean(step.location)}};
      if (id != ids_.end()) one["id"] = clean(id->second);
      one["role"] = clean(step.role);
      for (const TraceLocation& location : trace_.locations) {
        if (location.name != step.location || location.file.empty()) continue;
        one["file"] = file_number(location.file, location.line);
        one["line"] = location.line;
        break;
      }
      locations_.push_back(std::move(one));
    }
    ordered_json& location = locations_[found->second];
    if (step.read && step.source == TraceStep::initial) location["initial"] = value_text(step.read);
    return found->second;
  }

  ordered_json rows() const {
    ordered_json all = ordered_json::array();
    for (const Row& row : fold_loops(trace_)) {
      if (row.rounds == 0) {
        all.push_back({{"step", row.step}});
      } else {
        all.push_back({{"step", row.step},
                       {"rounds", row.rounds},
                       {"first", row.first},
                       {"last", row.last},
                       {"end", row.end}});
      }
    }
    return all;
  }

  ordered_json synchronisations() const {
    ordered_json all = ordered_json::array();
    for (const auto& one : relations_.synchronisations()) {
      all.push_back({one.from, one.to});
    }
    return all;
  }

  static ordered_json links(const std::vector<Link>& links) {
    ordered_json all = ordered_json::array();
    for (const Link& link : links) all.push_back({link.from, link.to});
    return all;
  }

  ordered_json stale() const {
    ordered_json all = ordered_json::array();
    for (const StaleRead& read : stale_reads(trace_, relations_)) {
      ordered_json one{{"read", read.read}, {"missed", read.missed}, {"why", read.why}};
      one["chain"] = links(read.chain);
      one["cycle"] = links(read.cycle);
      ordered_json& remedies = one["remedies"] = ordered_json::array();
      for (const Remedy& remedy : read.remedies) {
        ordered_json changes = ordered_json::array();
        for (const Remedy::Change& change : remedy.changes) {
          changes.push_back(
              {{"what", change.what}, {"step", change.step}, {"fence", change.is_fence}});
        }
        remedies.push_back(std::move(changes));
      }
      const auto add = [&](const char* name, const std::optional<Possibility>& machine) {
        if (machine) one[name] = {{"possible", machine->possible}, {"why", machine->why}};
      };
      add("sc", read.sc);
      add("tso", read.tso);
      add("weaker", read.weaker);
      all.push_back(std::move(one));
    }
    return all;
  }

  ordered_json history() const {
    const std::vector<Operation> operations = report::operations(trace_);
    const std::vector<Part> parts = parts_in_conflict(trace_.message, operations);
    ordered_json all = ordered_json::array();
    for (std::size_t at = 0; at < operations.size(); ++at) {
      const Operation& operation = operations[at];
      ordered_json one{{"thread", relations_.thread_index(operation.called)},
                       {"called", operation.called},
                       {"call", clean(operation.call)},
                       {"result", clean(operation.result)}};
      if (operation.returned) one["returned"] = *operation.returned;
      if (parts[at] == Part::conflict) one["part"] = "conflict";
      if (parts[at] == Part::context) one["part"] = "context";
      all.push_back(std::move(one));
    }
    return all;
  }

  ordered_json waiting() const {
    ordered_json all = ordered_json::array();
    for (const Wait& wait : waits(trace_)) {
      all.push_back({{"step", wait.step}, {"what", wait.what}, {"who", wait.who}});
    }
    return all;
  }

  std::size_t file_number(const std::string& file, std::uint32_t line) {
    const auto [found, is_new] = file_numbers_.try_emplace(file, files_.size());
    if (is_new) files_.push_back(file);
    wanted_[file].insert(line);
    return found->second;
  }

  ordered_json files() {
    ordered_json all = ordered_json::array();
    for (const std::string& file : files_) {
      ordered_json one{{"name", clean(file)}};
      const auto* lines = sources_.lines(file);
      one["found"] = lines != nullptr;
      if (lines != nullptr) one["lines"] = lines_around(*lines, wanted_[file]);
      all.push_back(std::move(one));
    }
    return all;
  }

  static ordered_json lines_around(const std::vector<std::string>& lines,
                                   const std::set<std::uint32_t>& wanted) {
    std::map<std::uint32_t, std::string_view> shown;
    for (const std::uint32_t line : wanted) {
      if (line == 0 || line > lines.size()) continue;
      const std::uint32_t begin = line > context_lines ? line - context_lines : 1;
      const auto end =
          std::min<std::uint32_t>(line + context_lines, static_cast<std::uint32_t>(lines.size()));
      for (std::uint32_t at = begin; at <= end; ++at) shown.emplace(at, lines[at - 1]);
    }
    ordered_json all = ordered_json::array();
    for (const auto& [number, text] : shown) all.push_back({number, clean(text)});
    return all;
  }

  std::map<std::string, std::string> names_;
  Trace trace_;
  Relations relations_;
  Sources& sources_;
  const PageOptions& options_;
  std::map<std::string, std::string> ids_;  // a given name's name in the trace
  ordered_json locations_ = ordered_json::array();
  std::map<std::string, std::size_t> location_numbers_;
  std::vector<std::string> files_;
  std::map<std::string, std::size_t> file_numbers_;
  std::map<std::string, std::set<std::uint32_t>> wanted_;
};

}  // namespace

ordered_json page_value(const Trace& trace, Sources& sources, const PageOptions& options) {
  return Builder(trace, sources, options).build();
}

}  // namespace heddle::sim::report
