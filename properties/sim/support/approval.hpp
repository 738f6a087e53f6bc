// Approval tests: what is printed is compared with a file that a person has looked at. Run the test
// with HEDDLE_APPROVE=1 to write the files anew, and look at the difference before it is committed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace heddle::sim::support {

inline std::string first_difference(const std::string& approved, const std::string& received) {
  std::istringstream expected(approved);
  std::istringstream found(received);
  std::string left;
  std::string right;
  for (int line = 1;; ++line) {
    const bool has_left = static_cast<bool>(std::getline(expected, left));
    const bool has_right = static_cast<bool>(std::getline(found, right));
    if (!has_left && !has_right) return "they differ in the end of the last line only";
    if (has_left && has_right && left == right) continue;
    return "line " + std::to_string(line) + "\n  approved: " + (has_left ? left : "(ends)") +
           "\n  received: " + (has_right ? right : "(ends)");
  }
}

/// `name` is the file's, below properties/sim/approved.
inline void expect_approved(const std::string& name, const std::string& received) {
  const std::filesystem::path file =
      std::filesystem::path(HEDDLE_SOURCE_DIR) / "properties/sim/approved" / name;
  if (std::getenv("HEDDLE_APPROVE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << received;
    return;
  }
  std::ifstream in(file, std::ios::binary);
  const std::string approved{std::istreambuf_iterator<char>(in), {}};
  if (approved == received) return;
  ADD_FAILURE() << name << ": " << first_difference(approved, received)
                << "\nRun the test with HEDDLE_APPROVE=1 if the new text is right. It is:\n"
                << received;
}

}  // namespace heddle::sim::support
