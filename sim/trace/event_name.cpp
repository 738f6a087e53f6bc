#include <heddle/sim/trace/event_name.hpp>

#include <fmt/format.h>

namespace heddle::sim::trace {
namespace {

// The index of the bracket that `close` at the end of `text` belongs to, or npos.
std::size_t opening_of(std::string_view text, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == close) ++depth;
    if (text[at] == open && --depth == 0) return at;
  }
  return std::string_view::npos;
}

std::string_view without_qualifiers(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view suffix :
         {" const", " volatile", " mutable", " noexcept", " &", " &&", " "}) {
      if (!text.ends_with(suffix)) continue;
      text.remove_suffix(suffix.size());
      again = true;
    }
  }
  return text;
}

const char* ordinal_suffix(std::uint32_t number) {
  if (number % 100 / 10 == 1) return "th";
  switch (number % 10) {
    case 1:
      return "st";
    case 2:
      return "nd";
    case 3:
      return "rd";
    default:
      return "th";
  }
}

}  // namespace

std::string short_function(std::string_view signature) {
  std::string_view text = signature.substr(0, signature.find(" [with "));
  text = without_qualifiers(text);
  if (text.ends_with('>') && text.find("<lambda(") != std::string_view::npos) return "operator()";
  if (text.ends_with(')') && !text.ends_with("operator()")) {
    const std::size_t open = opening_of(text, '(', ')');
    if (open == std::string_view::npos) return std::string(text);
    text = without_qualifiers(text.substr(0, open));
  }
  const std::size_t named_operator = text.rfind("operator");
  if (named_operator != std::string_view::npos) return std::string(text.substr(named_operator));
  if (text.ends_with('>')) {
    const std::size_t open = opening_of(text, '<', '>');
    if (open != std::string_view::npos) text = text.substr(0, open);
  }
  const std::size_t before = text.find_last_of(": *&");
  return std::string(before == std::string_view::npos ? text : text.substr(before + 1));
}

std::string site_name(std::string_view kind, std::string_view function, std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return fmt::format("{} {} {}", kind, short_function(function), file);
}

std::string role_name(const Role& role) { return fmt::format("{}", fmt::join(role, ".")); }

bool is_event(TraceStep::Kind kind) noexcept {
  switch (kind) {
    case TraceStep::Kind::load:
    case TraceStep::Kind::store:
    case TraceStep::Kind::rmw:
    case TraceStep::Kind::fence:
    case TraceStep::Kind::choose:
    case TraceStep::Kind::spawn:
    case TraceStep::Kind::join:
    case TraceStep::Kind::await_load:
    case TraceStep::Kind::await_rmw:
      return true;
    default:
      return false;
  }
}

std::map<std::uint32_t, std::string> thread_roles(const Trace& trace) {
  std::map<std::uint32_t, std::string> roles{{0, "0"}};
  std::map<std::uint32_t, std::uint32_t> spawned;
  for (const TraceStep& step : trace.steps) {
    if (step.kind != TraceStep::Kind::spawn) continue;
    roles[step.other_thread] = fmt::format("{}.{}", roles[step.thread], ++spawned[step.thread]);
  }
  return roles;
}

std::vector<TraceEventName> event_names(const Trace& trace) {
  const auto roles = thread_roles(trace);
  std::vector<TraceEventName> names(trace.steps.size());
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> seen;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (!is_event(step.kind)) continue;
    std::string site = site_name(to_string(step.kind), step.function, step.file);
    const std::uint32_t occurrence = ++seen[{step.thread, site}];
    names[i] = {roles.at(step.thread), std::move(site), occurrence};
  }
  return names;
}

std::string in_words(const TraceEventName& name) {
  if (name.site == start_site) return fmt::format("the start of thread {}", name.thread);
  return fmt::format("the {}{} '{}' of thread {}", name.occurrence, ordinal_suffix(name.occurrence),
                     name.site, name.thread);
}

}  // namespace heddle::sim::trace
