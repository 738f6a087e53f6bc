// Why a trace cannot be used: which file, where in it, what is wrong there and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::sim::trace {

class TraceError : public std::runtime_error {
 public:
  /// `place` is a line and column, or a field such as "steps[3].source"; empty: the whole file.
  TraceError(std::string file, std::string place, std::string problem, std::string remedy)
      : std::runtime_error(sentence(file, place, problem, remedy)),
        file_(std::move(file)),
        place_(std::move(place)),
        problem_(std::move(problem)),
        remedy_(std::move(remedy)) {}

  const std::string& file() const noexcept { return file_; }
  const std::string& place() const noexcept { return place_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& remedy() const noexcept { return remedy_; }

 private:
  static std::string sentence(const std::string& file, const std::string& place,
                              const std::string& problem, const std::string& remedy) {
    std::string text = file + ": ";
    if (!place.empty()) text += place + ": ";
    return text + problem + "\n  " + remedy;
  }

  std::string file_;
  std::string place_;
  std::string problem_;
  std::string remedy_;
};

}  // namespace heddle::sim::trace
