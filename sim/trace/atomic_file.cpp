#include <heddle/sim/trace/atomic_file.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace heddle::sim::trace {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }

  // 0 or the error.
  int write_all(std::string_view content) const {
    while (!content.empty()) {
      const ::ssize_t written = ::write(number_, content.data(), content.size());
      if (written < 0 && errno != EINTR) return errno;
      if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }
  int synchronise() const { return ::fsync(number_) == 0 ? 0 : errno; }
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

[[noreturn]] void cannot_write(int error) {
  throw std::runtime_error("cannot be written: " + reason(error));
}

void write_directly(const fs::path& path, std::string_view content) {
  Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.is_open()) cannot_write(errno);
  if (const int error = out.write_all(content); error != 0) cannot_write(error);
}

void replace(const fs::path& path, std::string_view content) {
  fs::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  // O_EXCL: what lies there is not ours to write into.
  Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!out.is_open()) cannot_write(errno);
  int error = out.write_all(content);
  if (error == 0) error = out.synchronise();
  if (const int closing = out.close(); error == 0) error = closing;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  cannot_write(error);
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    if (fs::is_directory(status)) cannot_write(EISDIR);
    return write_directly(path, content);
  }
  // A symbolic link stays one: its target is replaced.
  const fs::path target = fs::exists(status) ? fs::canonical(path, error) : path;
  replace(error ? path : target, content);
}

std::string read_file(const fs::path& path, std::size_t bytes_max) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw std::runtime_error("there is no such file");
  if (!fs::is_regular_file(status)) throw std::runtime_error("is not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > bytes_max) {
    throw std::runtime_error(
        fmt::format("is larger than {} MiB, which no trace is", bytes_max >> 20));
  }
  std::ifstream in(path, std::ios::binary);
  std::string content(error ? 0 : static_cast<std::size_t>(size), '\0');
  if (!in.read(content.data(), static_cast<std::streamsize>(content.size()))) {
    throw std::runtime_error("cannot be read: " + reason(errno));
  }
  return content;
}

}  // namespace heddle::sim::trace
