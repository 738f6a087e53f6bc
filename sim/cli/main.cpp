#include <heddle/sim/cli/scenario.hpp>

int main(int argc, char** argv) { return heddle::sim::command_line(argc, argv); }
