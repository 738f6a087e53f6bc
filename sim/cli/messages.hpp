// What the processes of `heddle check` say to each other: messages of JSON, each after its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <heddle/sim/cli/run_scenario.hpp>

namespace heddle::sim::cli {

std::string message_of(const Progress& progress);
std::string message_of(const JobResult& result);

/// The progress in a message, or nothing when it is a result.
std::optional<Progress> progress_in(const std::string& message);
JobResult result_in(const std::string& message);

/// Sends all of it. A parent that is gone is no error here: there is nobody to tell.
void send(int pipe, const std::string& message);

/// Puts messages together from the pieces that arrive.
class MessageReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  std::optional<std::string> next();

 private:
  std::string buffer_;
};

}  // namespace heddle::sim::cli
