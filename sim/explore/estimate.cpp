#include <heddle/sim/explore/estimate.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <heddle/sim/explore/exhaustive.hpp>

namespace heddle::sim::engine {

namespace {

constexpr std::size_t probes_max = 400;
constexpr std::size_t blocks_max = 64;
constexpr std::chrono::milliseconds probe_time{8};
// The search is in one corner of the tree, and what it has met there is no random sample.
constexpr double corner_factor = 2;

}  // namespace

void ProbeSeries::Sample::add(double executions) noexcept {
  ++count;
  sum += executions;
  squares += executions * executions;
  if (executions <= 0) return;
  const double logarithm = std::log(executions);
  ++hits;
  logarithms += logarithm;
  logarithms_squares += logarithm * logarithm;
}

Estimate ProbeSeries::Sample::estimate() const noexcept {
  if (hits < 2) return {};
  const auto n = static_cast<double>(count);
  const double mean = sum / n;
  const double variance = std::max(0.0, squares / n - mean * mean) / (n - 1);
  const double by_mean = std::sqrt(std::log1p(variance / (mean * mean)));
  // Few samples of a widely spread variable hardly ever hold the large ones that make its mean.
  const auto h = static_cast<double>(hits);
  const double middle = logarithms / h;
  const double spread = std::max(0.0, (logarithms_squares - h * middle * middle) / (h - 1));
  const double by_logarithms = std::sqrt(spread / h + spread * spread / (2 * (h - 1)));
  return {mean, std::max(by_mean, by_logarithms)};
}

void ProbeSeries::probe(Exhaustive& prober, std::mt19937_64& random) {
  const std::size_t way = count_++ % fadings.size();
  const double executions = prober.probe(random, fadings[way]);
  all_.add(executions);
  ways_[way].add(executions);
}

Estimate ProbeSeries::estimate() const noexcept {
  Estimate estimate = all_.estimate();
  // What the ways disagree by is an error too, and often the only sign of a tree that they miss.
  double sum = 0;
  double squares = 0;
  for (const Sample& way : ways_) {
    if (way.sum <= 0) return estimate;
    const double logarithm = std::log(way.sum / static_cast<double>(way.count));
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  const auto n = static_cast<double>(ways_.size());
  const double apart = std::sqrt(std::max(0.0, squares / n - sum * sum / (n * n)));
  estimate.error = std::max(estimate.error, apart);
  return estimate;
}

RunningEstimate::RunningEstimate() = default;
RunningEstimate::~RunningEstimate() = default;

void RunningEstimate::probe(const Options& options, const std::function<void()>& body) {
  if (probes_.count() >= probes_max) return;
  if (!prober_) {
    Options own = options;
    own.sites = nullptr;
    own.on_progress = {};
    prober_ = std::make_unique<Exhaustive>(own, body);
  }
  const auto until = std::chrono::steady_clock::now() + probe_time;
  while (probes_.count() < probes_max && std::chrono::steady_clock::now() < until) {
    probes_.probe(*prober_, random_);
  }
  if (probes_.count() >= probes_max) prober_.reset();
}

Estimate RunningEstimate::of_search(double executions, double share) const {
  if (blocks_.size() < 2 || executions <= 0 || share <= 0) return {};
  const double rate = executions / share;
  double spread = 0;
  double covered = 0;
  for (const Block& block : blocks_) {
    const double difference = block.executions / block.share - rate;
    spread += block.share * difference * difference;
    covered += block.share;
  }
  const double variation = std::sqrt(spread / covered) / rate;
  const double left = std::max(0.0, 1 - share);
  const auto blocks = static_cast<double>(blocks_.size());
  const double blocks_left = std::max(left / (covered / blocks), 1.0);
  const double of_rest = corner_factor * variation * std::sqrt(1 / blocks + 1 / blocks_left);
  const double rest = rate * left;
  return {executions + rest, std::log1p(of_rest * rest / (executions + rest))};
}

Estimate RunningEstimate::after(std::uint64_t executions, double share) {
  const auto met = static_cast<double>(executions);
  if (share >= 1) return {met, 0};
  const Block block{met - last_.executions, share - last_.share};
  if (block.share > 0 && block.share >= block_share_) {
    blocks_.push_back(block);
    last_ = {met, share};
    if (blocks_.size() == blocks_max) {
      for (std::size_t i = 0; i < blocks_max / 2; ++i) {
        blocks_[i] = {blocks_[2 * i].executions + blocks_[2 * i + 1].executions,
                      blocks_[2 * i].share + blocks_[2 * i + 1].share};
      }
      blocks_.resize(blocks_max / 2);
      block_share_ = 2 * share / blocks_max;
    }
  }
  Estimate by_probes = probes_.estimate();
  Estimate by_search = of_search(met, share);
  if (by_search.executions <= 0) std::swap(by_probes, by_search);
  if (by_search.executions <= 0) return {};
  Estimate both = by_search;
  if (by_probes.executions > 0) {
    constexpr double least = 1e-3;  // no estimate is that good; and nothing is divided by zero
    const double p = 1 / std::pow(std::max(by_probes.error, least), 2);
    const double s = 1 / std::pow(std::max(by_search.error, least), 2);
    const double middle =
        (p * std::log(by_probes.executions) + s * std::log(by_search.executions)) / (p + s);
    // Sources that contradict each other are less sure than either says.
    const double apart = std::log(by_probes.executions / by_search.executions);
    const double disagreement = p * s / ((p + s) * (p + s)) * apart * apart;
    both = {std::exp(middle), std::sqrt(1 / (p + s) + disagreement)};
  }
  both.executions = std::max(both.executions, met);
  return both;
}

// In the tree of runs, where each alternative that a run leaves is a child: every run on a random
// path from the root stands for one over the probability of the path to it.
double Exhaustive::probe(std::mt19937_64& random, double fading) {
  begin();
  begun_ = false;
  bool runs = true;
  double stands_for = 1;
  double executions = 0;
  std::vector<double> chances;
  for (;;) {
    if (runs && execution_.run(frames_.back()->graph, *this) == RunEnd::complete) {
      executions += stands_for;
    }
    auto& items = frames_.back()->items;
    if (items.empty()) return executions;
    chances.clear();
    double chance = 1;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0 && items[i].length != items[i - 1].length) chance *= fading;
      chances.push_back(chance);
    }
    const double all = std::accumulate(chances.begin(), chances.end(), 0.0);
    double drawn = std::uniform_real_distribution<double>(0, all)(random);
    std::size_t chosen = 0;
    while (chosen + 1 < items.size() && drawn >= chances[chosen]) drawn -= chances[chosen++];
    stands_for *= all / chances[chosen];
    const Item item = items[chosen];
    items.clear();
    const std::size_t frames = frames_.size();
    runs = take(item);
    if (frames_.size() < frames) return executions;
  }
}

}  // namespace heddle::sim::engine

namespace heddle::sim {

Estimate estimate(const Options& options, const std::function<void()>& body, unsigned probes,
                  std::uint64_t seed) {
  if (!body) throw std::invalid_argument("sim::estimate: the body is empty");
  if (probes < 20) throw std::invalid_argument("sim::estimate: at least 20 probes are needed");
  engine::Exhaustive prober(options, body);
  engine::ProbeSeries series;
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < probes; ++i) series.probe(prober, random);
  return series.estimate();
}

}  // namespace heddle::sim
