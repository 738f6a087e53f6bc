// How fast the exhaustive search is: executions, executions per CPU second and peak memory for the
// programs whose numbers are known, under both memory models, on one core. The figures of GenMC
// 0.11 beside them were measured on a machine of this kind and are orders of magnitude; what runs
// in the same minute on the same machine is the Relacy program that scripts/bench starts next.
//
// usage: heddle_bench_explorer [PART OF A NAME] [--instructions | --jobs N]
//        --instructions: one small run of each, for a profiler
//        --jobs N: instead, long programs with one process and with N, and the ratio of their
//        rates.
//                  On a machine that has N cores for it two give at least 1.7 times the rate of one

#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "../../litmus/anchor_programs.hpp"
#include "../../litmus/anchor_structures.hpp"

namespace {

namespace sim = heddle::sim;
using namespace heddle::litmus::anchors;

struct Row {
  std::string name;
  Body body;
  std::uint64_t rc11, sc;   // executions that are right
  double genmc_per_second;  // under rc11; 0: not measured
};

std::vector<Row> rows() {
  return {
      {"SB(15)", store_buffering(15), 32'768, 32'767, 172e3},
      {"MP(9)", message_passing(9), 19'683, 19'683, 197e3},
      {"IRIW(8)", independent_reads(8), 65'536, 34'911, 243e3},
      {"CoRR(5,2)", coherence(5), 52'920, 52'920, 378e3},
      {"readers(13)", readers(13), 8'192, 8'192, 43e3},
      {"readers(16)", readers(16), 65'536, 65'536, 37e3},
      {"lastzero(10)", last_zero(10), 3'328, 3'328, 37e3},
      {"indexer(15)", indexer(15), 4'096, 4'096, 3e3},
      {"fib_bench(5)", fibonacci(5, acquire, release), 525'630, 218'243, 290e3},
      {"ainc(7)", additions(7, 1), 5'040, 5'040, 56e3},
      {"casrot(9)", exchange_chain(9), 8'597, 8'597, 200e3},
      {"casw(5)", exchange_and_store(5), 32'880, 32'880, 274e3},
      {"chase-lev, 1 thief", chase_lev(1), 18, 18, 0},
      {"chase-lev, 2 thieves", chase_lev(2), 659, 633, 0},
      {"chase-lev, 3 thieves", chase_lev(3), 24'451, 21'958, 74e3},
      {"chase-lev seq_cst, 3", chase_lev(3, true), 13'882, 13'882, 82e3},
      {"treiber(3)", treiber(3, AfterLostPop::give_up), 2'640, 2'640, 19e3},
      {"mutex(7)", locked_increments(7, 1), 5'040, 5'040, 28e3},
  };
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Figure {
  sim::Report report;
  double per_second = 0;
};

// A short program is run again until half a second has gone by.
Figure measure(const Row& row, sim::MemoryModel model, bool once) {
  sim::Options options;
  options.memory_model = model;
  Figure figure;
  double executions = 0;
  const double start = cpu_seconds();
  do {
    figure.report = sim::explore(options, row.body);
    executions += static_cast<double>(figure.report.executions);
  } while (!once && cpu_seconds() - start < 0.5);
  figure.per_second = executions / (cpu_seconds() - start);
  return figure;
}

struct LongRow {
  std::string name;
  Body body;
  std::uint64_t executions;
};

// More than five seconds with one process.
std::vector<LongRow> long_rows() {
  return {{"ainc(10)", additions(10, 1), 3'628'800},
          {"writers(10)", writers(10), 3'628'800},
          {"mutex(10)", locked_increments(10, 1), 3'628'800},
          {"CoRR(7,2)", coherence(7), 6'531'840}};
}

// By the clock on the wall: that is what several processes are for.
int compare_jobs(unsigned jobs, std::string_view part) {
  fmt::print("{:<22}{:>12}{:>14}{:>14}{:>8}\n", "program", "executions", "1 process /s",
             fmt::format("{} /s", jobs), "ratio");
  bool right = true;
  for (const LongRow& row : long_rows()) {
    if (row.name.find(part) == std::string::npos) continue;
    double rates[2] = {0, 0};
    std::string wrong;
    for (const unsigned with : {1U, jobs}) {
      sim::Options options;
      options.jobs = with;
      const sim::Report report = sim::explore(options, row.body);
      rates[with == 1 ? 0 : 1] = static_cast<double>(report.executions) /
                                 std::chrono::duration<double>(report.elapsed).count();
      if (report.executions == row.executions) continue;
      wrong = fmt::format("  WRONG: {}, {} expected", report.executions, row.executions);
      right = false;
    }
    fmt::print("{:<22}{:>12}{:>14.0f}{:>14.0f}{:>8.2f}{}\n", row.name, row.executions, rates[0],
               rates[1], rates[1] / rates[0], wrong);
    std::fflush(stdout);
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view part;
  bool once = false;
  unsigned jobs = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--instructions") == 0) {
      once = true;
    } else if (std::strcmp(argv[i], "--jobs") == 0 && i + 1 < argc) {
      jobs = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else {
      part = argv[i];
    }
  }
  if (jobs > 1) return compare_jobs(jobs, part);
  fmt::print("{:<22}{:>6}{:>12}{:>9}{:>14}{:>9}\n", "program", "model", "executions", "blocked",
             "per cpu s", "x GenMC");
  bool right = true;
  double log_ratio = 0;
  int ratios = 0;
  for (const Row& row : rows()) {
    if (row.name.find(part) == std::string::npos) continue;
    for (const sim::MemoryModel model : {sim::MemoryModel::rc11, sim::MemoryModel::sc}) {
      const bool rc11 = model == sim::MemoryModel::rc11;
      const Figure figure = measure(row, model, once);
      const std::uint64_t expected = rc11 ? row.rc11 : row.sc;
      const bool ok =
          figure.report.verdict == sim::Verdict::verified && figure.report.executions == expected;
      right = right && ok;
      std::string ratio;
      if (rc11 && row.genmc_per_second > 0) {
        const double times = figure.per_second / row.genmc_per_second;
        ratio = fmt::format("{:.2f}", times);
        log_ratio += std::log(times);
        ++ratios;
      }
      fmt::print("{:<22}{:>6}{:>12}{:>9}{:>14.0f}{:>9}{}\n", row.name, sim::to_string(model),
                 figure.report.executions, figure.report.blocked, figure.per_second, ratio,
                 ok ? "" : fmt::format("  WRONG: {} expected", expected));
      std::fflush(stdout);
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak resident memory: {} KiB", usage.ru_maxrss);
  if (ratios > 0) {
    fmt::print("; geometric mean over GenMC's published rates: {:.2f}",
               std::exp(log_ratio / ratios));
  }
  fmt::print("\n");
  return right ? 0 : 1;
}
