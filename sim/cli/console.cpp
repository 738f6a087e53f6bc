#include <heddle/sim/cli/console.hpp>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle::sim::cli {
namespace {

bool colours_wanted() {
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* const term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

Console standard_console() {
  Console console{std::cout, std::cerr};
  ::winsize size{};
  const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (on_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    console.width = size.ws_col;
  }
  console.colour = on_terminal && colours_wanted();
  console.terminal = ::isatty(STDERR_FILENO) == 1;
  return console;
}

}  // namespace heddle::sim::cli
