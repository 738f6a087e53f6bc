#include <heddle/sim/cli/messages.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/report/report_value.hpp>
#include <heddle/sim/report/sites_value.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

}  // namespace

std::string message_of(const Progress& progress) {
  ordered_json value = {{"executions", progress.executions},
                        {"blocked", progress.blocked},
                        {"executions_per_second", progress.executions_per_second},
                        {"estimated_total", progress.estimated_total},
                        {"elapsed_ns", progress.elapsed.count()}};
  if (progress.chance_of_new) value["chance_of_new"] = *progress.chance_of_new;
  return trace::dump(ordered_json{{"progress", value}});
}

std::string message_of(const JobResult& result) {
  ordered_json value;
  if (!result.refused.empty()) {
    value["refused"] = result.refused;
  } else {
    value["report"] = report::to_value(result.report);
    if (!result.sites.empty()) value["sites"] = report::to_value(result.sites);
  }
  return trace::dump(value);
}

std::optional<Progress> progress_in(const std::string& message) {
  const json value = json::parse(message);
  const auto found = value.find("progress");
  if (found == value.end()) return std::nullopt;
  Progress progress;
  progress.executions = found->at("executions").get<std::uint64_t>();
  progress.blocked = found->at("blocked").get<std::uint64_t>();
  // Numbers that JSON does not have (infinity) arrive as null.
  const auto number = [&](const char* name) {
    const json& one = found->at(name);
    return one.is_number() ? one.get<double>() : 0.0;
  };
  progress.executions_per_second = number("executions_per_second");
  progress.estimated_total = number("estimated_total");
  progress.elapsed = std::chrono::nanoseconds(found->at("elapsed_ns").get<std::int64_t>());
  if (found->contains("chance_of_new")) progress.chance_of_new = number("chance_of_new");
  return progress;
}

JobResult result_in(const std::string& message) {
  const json value = json::parse(message);
  JobResult result;
  if (value.contains("refused")) {
    result.refused = value["refused"].get<std::string>();
  } else {
    result.report = report::report_from_value(value.at("report"));
    if (value.contains("sites")) result.sites = report::sites_from_value(value["sites"]);
  }
  return result;
}

void send(int pipe, const std::string& message) {
  const std::uint64_t length = message.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += message;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ::ssize_t written = ::write(pipe, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::optional<std::string> MessageReader::next() {
  std::uint64_t length = 0;
  if (buffer_.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, buffer_.data(), sizeof length);
  if (buffer_.size() - sizeof length < length) return std::nullopt;
  std::string message = buffer_.substr(sizeof length, length);
  buffer_.erase(0, sizeof length + message.size());
  return message;
}

}  // namespace heddle::sim::cli
