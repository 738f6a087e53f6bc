#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {

int show(const ShowArguments& arguments, Console& console) {
  std::string_view separator;
  for (const std::string& path : arguments.paths) {
    for (const auto& file : trace::find(path)) {
      const Trace trace = trace::read(file);
      console.out << separator
                  << report::view(trace, {console.width, console.colour, !arguments.every_step});
      separator = "\n";
    }
  }
  return success;
}

}  // namespace heddle::sim::cli
