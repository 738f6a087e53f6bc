// Programs of known_bad/program.hpp's form under Relacy: how to ask it about one.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::relacy_suite {

/// The programs behind one face, so that Relacy is instantiated for numbers of threads only.
class AnyProgram {
 public:
  AnyProgram() = default;
  AnyProgram(const AnyProgram&) = delete;
  AnyProgram& operator=(const AnyProgram&) = delete;
  virtual ~AnyProgram() = default;
  virtual void thread(unsigned index) = 0;
  virtual void after() = 0;
};

template <class Program>
class Wrapped : public AnyProgram {
 public:
  void thread(unsigned index) override { program_.thread(index); }
  void after() override { program_.after(); }

 private:
  Program program_;
};

template <class Program>
std::unique_ptr<AnyProgram> make() {
  return std::make_unique<Wrapped<Program>>();
}
inline std::unique_ptr<AnyProgram> (*make_next)() = nullptr;

template <unsigned Threads>
struct suite : rl::test_suite<suite<Threads>, Threads> {
  std::unique_ptr<AnyProgram> program;

  void before() { program = make_next(); }
  void thread(unsigned index) { program->thread(index); }
  void after() {
    program->after();
    program.reset();
  }
};

// Relacy writes while its allocator is at work, so a stream that allocates would free elsewhere
// what it got there.
inline std::ostream& nowhere() {
  struct sink : std::streambuf {
    int overflow(int character) override { return character; }
  };
  static sink buffer;
  static std::ostream stream(&buffer);
  return stream;
}

struct Answer {
  rl::test_result_e result;
  rl::iteration_t iterations;
};

template <class Program>
Answer ask(rl::scheduler_type_e search, rl::iteration_t iterations) {
  rl::test_params parameters;
  parameters.output_stream = &nowhere();
  parameters.progress_stream = &nowhere();
  parameters.search_type = search;
  parameters.iteration_count = iterations;
  parameters.context_bound = 2;
  make_next = make<Program>;
  if constexpr (Program::threads == 2) {
    (void)rl::simulate<suite<2>>(parameters);
  } else {
    static_assert(Program::threads == 3);
    (void)rl::simulate<suite<3>>(parameters);
  }
  return {parameters.test_result, parameters.stop_iteration};
}

}  // namespace heddle::relacy_suite
