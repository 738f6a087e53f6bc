#include <heddle/sim/explore/checkpoint.hpp>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <heddle/sim/explore/build_id.hpp>

namespace heddle::sim::engine {

namespace {

constexpr std::string_view magic = "heddle-checkpoint 1\n";

using Identity = std::vector<std::pair<std::string, std::string>>;

// Everything that decides what there is to explore. Limits and the number of processes do not.
Identity identity_of(const Options& options) {
  return {{"scenario", options.scenario},
          {"build", build_id()},
          {"memory model", std::string(to_string(options.memory_model))},
          {"shard",
           options.shards == 0 ? "none" : fmt::format("{} of {}", options.shard, options.shards)},
          {"stop_at_first_failure", options.stop_at_first_failure ? "yes" : "no"},
          {"timeouts", options.timeouts ? "yes" : "no"},
          {"spurious_wakeups", std::to_string(options.spurious_wakeups)},
          {"max_steps", std::to_string(options.max_steps)},
          {"stack_bytes", std::to_string(options.stack_bytes)}};
}

[[noreturn]] void refuse(const Options& options, const std::string& why) {
  throw CheckpointError(fmt::format("checkpoint {}: {}", options.checkpoint, why));
}

[[noreturn]] void refuse_damaged(const Options& options) {
  refuse(options, "it is damaged, or no checkpoint at all; remove it to begin anew");
}

std::string content_of(const Options& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.checkpoint, error)) {
    refuse(options, "there is no such file; without --resume the search begins anew and writes it");
  }
  std::ifstream in(options.checkpoint, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (!in) refuse(options, "it cannot be read");
  return content;
}

// The body of the file, after its frame has been checked.
std::string_view unframed(const Options& options, std::string_view content) {
  if (!content.starts_with(magic)) refuse_damaged(options);
  try {
    ByteReader in(content.substr(magic.size()));
    const std::string_view body = in.text();
    if (in.number() != checksum_of(body) || !in.at_end()) refuse_damaged(options);
    return body;
  } catch (const DamagedBytes&) {
    refuse_damaged(options);
  }
}

void require_same(const Options& options, const std::string& what, std::string_view theirs,
                  const std::string& ours) {
  if (theirs == ours) return;
  if (what == "build") {
    refuse(options, fmt::format("it was made by another build of this program ({}, and this is {}),"
                                " and what that one explored says nothing about this one; resume "
                                "with the same binary, or remove the file to begin anew",
                                theirs, ours));
  }
  refuse(options, fmt::format("it was made with {} '{}', and this run has '{}'; give the same "
                              "options, or another file",
                              what, theirs, ours));
}

Checkpoint read_body(const Options& options, std::string_view body) {
  ByteReader in(body);
  const Identity identity = identity_of(options);
  if (in.number() != identity.size()) refuse_damaged(options);
  for (const auto& [what, ours] : identity) {
    if (in.text() != what) refuse_damaged(options);
    require_same(options, what, in.text(), ours);
  }
  Checkpoint checkpoint;
  checkpoint.elapsed = std::chrono::nanoseconds(in.signed_number());
  checkpoint.ledger = read_ledger(in);
  if (!in.at_end()) refuse_damaged(options);
  return checkpoint;
}

// 0, or what went wrong.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x0000'0100'0000'01b3;
  }
  return hash;
}

void write_checkpoint(const Options& options, const Checkpoint& checkpoint) {
  ByteWriter body;
  const Identity identity = identity_of(options);
  body.number(identity.size());
  for (const auto& [what, ours] : identity) {
    body.text(what);
    body.text(ours);
  }
  body.signed_number(checkpoint.elapsed.count());
  write(body, checkpoint.ledger);
  ByteWriter framed;
  framed.text(body.bytes());
  framed.number(checksum_of(body.bytes()));

  // The name is the same every time, so that a killed process leaves one such file at most.
  const std::string temporary = options.checkpoint + ".tmp";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : 0;
  if (file >= 0) {
    error = write_all(file, magic);
    if (error == 0) error = write_all(file, framed.bytes());
    if (::close(file) != 0 && error == 0) error = errno;
  }
  if (error == 0 && ::rename(temporary.c_str(), options.checkpoint.c_str()) != 0) error = errno;
  if (error != 0) {
    refuse(options, "it cannot be written: " + std::generic_category().message(error));
  }
}

Checkpoint read_checkpoint(const Options& options) {
  const std::string content = content_of(options);
  try {
    return read_body(options, unframed(options, content));
  } catch (const DamagedBytes&) {
    refuse_damaged(options);
  }
}

void require_no_unfinished_checkpoint(const Options& options) {
  std::error_code error;
  if (!std::filesystem::exists(options.checkpoint, error)) return;
  const std::string content = content_of(options);
  const std::string_view body = unframed(options, content);
  try {
    ByteReader in(body);
    for (std::uint64_t left = in.count(); left > 0; --left) {
      in.text();
      in.text();
    }
    in.signed_number();
    if (read_ledger(in).finished(true)) return;
  } catch (const DamagedBytes&) {
    refuse_damaged(options);
  }
  refuse(options,
         "it holds a search that is not finished; go on with it by --resume, or remove "
         "the file to begin anew");
}

}  // namespace heddle::sim::engine
