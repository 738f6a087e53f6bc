// Ours and the peers' programs, in turns: heddle_bench_scheduler and heddle_bench_scheduler_PEER
// take the same arguments, WORKLOAD WORKERS COUNT, and print one line of JSON. A peer answers a
// workload that it does not have with exit code 3.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workloads.hpp"

namespace heddle_bench {

namespace {

constexpr std::array peers{"tbb", "fiber", "asio"};
constexpr int has_no_such_workload = 3;

/// What the program printed; nothing when it does not have the workload.
Figures run(const std::string& program, const Workload& workload, unsigned workers) {
  const std::string command =
      fmt::format("'{}' {} {} {}", program, workload.name, workers, workload.compared_count);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) {
    text += buffer.data();
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == has_no_such_workload) return {};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (status != 0 || !json.is_object()) {
    fmt::print(stderr, "{} failed, with status {}; it printed: {}\n", command, status, text);
    return {};
  }
  Figures figures;
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) figures[key] = value.get<double>();
  }
  return figures;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int compare(const std::string& directory, unsigned rounds) {
  const std::string ours = directory + "/heddle_bench_scheduler";
  std::vector<std::pair<std::string, std::string>> programs{{"heddle", ours}};
  for (const char* const peer : peers) {
    const std::string path = ours + "_" + peer;
    if (std::filesystem::exists(path)) programs.emplace_back(peer, path);
  }
  fmt::print("medians of {} rounds; in brackets ours / the peer's: below 1, ours needs less\n\n",
             rounds);
  fmt::print("{:<4} {:<26} {:<16} {:>2}", "", "", "", "w");
  for (const auto& [name, path] : programs) fmt::print(" {:>18}", name);
  fmt::print("\n");
  for (const Workload& workload : all_workloads()) {
    for (const unsigned workers : {1U, 2U}) {
      std::map<std::string, std::map<std::string, std::vector<double>>> found;  // figure, program
      for (unsigned round = 0; round < rounds; ++round) {
        for (const auto& [name, path] : programs) {
          for (const auto& [figure, value] : run(path, workload, workers)) {
            found[figure][name].push_back(value);
          }
        }
      }
      for (const char* const figure : workload.figures) {
        auto& values = found[figure];
        if (values["heddle"].empty()) return 1;  // run() has said why
        const double own = median(values["heddle"]);
        fmt::print("{:<4} {:<26} {:<16} {:>2} {:>18.1f}", workload.name, workload.what, figure,
                   workers, own);
        for (std::size_t i = 1; i < programs.size(); ++i) {
          const auto& of_peer = values[programs[i].first];
          if (of_peer.empty()) {
            fmt::print(" {:>18}", "-");
          } else {
            const double theirs = median(of_peer);
            fmt::print(" {:>10.1f} [{:>5.2f}]", theirs, own / theirs);
          }
        }
        fmt::print("\n");
        std::fflush(stdout);
      }
    }
  }
  return 0;
}

}  // namespace heddle_bench
