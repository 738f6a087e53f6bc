#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/select.hpp>
#include <heddle/sim/report/table.hpp>

namespace heddle::sim::cli {

int list(const Program& program, const ListArguments& arguments, Console& console) {
  report::Table table({{"scenario", false, false},
                       {"group", false, false},
                       {"threads", true, false},
                       {"what it shows", false, true}});
  const auto selected = select(program.scenarios, arguments.names, arguments.group);
  for (const Scenario* one : selected) {
    const ScenarioOptions& options = one->options;
    std::string shows = one->shows;
    if (options.expect) {
      shows += fmt::format(" [known bad: {}]", to_string(*options.expect));
    } else if (!options.exhaustive) {
      shows += " [sampled]";
    }
    table.add({{one->name, report::Style::bold},
               {options.group.empty() ? "–" : std::string(options.group), report::Style::dim},
               {options.threads == 0 ? "–" : fmt::format("{}", options.threads)},
               {shows}});
  }
  console.out << table.text(console.width, report::Painter(console.colour));
  return success;
}

}  // namespace heddle::sim::cli
