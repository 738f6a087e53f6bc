// The exhaustive search in parts: what is left of it as data, and back.

#include <algorithm>
#include <utility>

#include <heddle/sim/explore/exhaustive.hpp>
#include <heddle/sim/explore/rebind.hpp>

namespace heddle::sim::engine {

void Exhaustive::begin() {
  while (!frames_.empty()) {
    frames_.back()->items.clear();
    pop_frame();
  }
  push_frame().graph.clear();
  weight_ = 1;
  share_ = 0;
  begun_ = true;
}

void Exhaustive::load(const Task& task) {
  begin();
  if (task.whole) return;
  begun_ = false;
  pop_frame();
  for (const Task::Frame& part : task.frames) {
    GraphStructure structure = part.graph;
    renumber(structure, task.names, execution_.naming());
    Graph graph = rebind(execution_, structure);
    Frame& frame = push_frame();
    frame.graph = std::move(graph);
    frame.items = part.items;
  }
}

bool Exhaustive::advance() {
  if (std::exchange(begun_, false)) return true;
  return next_graph();
}

// The graph is cut to what the last of the items needs: what came after it belongs to runs that are
// over.
Task::Frame Exhaustive::part_of(const Frame& frame, std::size_t items_begin,
                                std::size_t items_end) {
  const auto begin = frame.items.begin();
  Task::Frame part;
  part.items.assign(begin + static_cast<std::ptrdiff_t>(items_begin),
                    begin + static_cast<std::ptrdiff_t>(items_end));
  Graph graph = frame.graph;
  cut(graph, part.items.back().length);
  part.graph = structure_of(graph);
  return part;
}

Task Exhaustive::save() {
  Task task;
  task.whole = begun_;
  task.names = names_of(execution_.naming());
  if (begun_) return task;
  for (const auto& frame : frames_) {
    if (!frame->items.empty()) task.frames.push_back(part_of(*frame, 0, frame->items.size()));
  }
  return task;
}

std::optional<Task> Exhaustive::split() {
  std::size_t items = 0;
  for (const auto& frame : frames_) items += frame->items.size();
  if (begun_ || items < 2) return std::nullopt;
  // The oldest alternatives are the ones with the most below them.
  const auto bottom = std::find_if(frames_.begin(), frames_.end(),
                                   [](const auto& frame) { return !frame->items.empty(); });
  Frame& frame = **bottom;
  const std::size_t given = std::max<std::size_t>(1, frame.items.size() / 2);
  Task task;
  task.names = names_of(execution_.naming());
  task.frames.push_back(part_of(frame, 0, given));
  frame.items.erase(frame.items.begin(), frame.items.begin() + static_cast<std::ptrdiff_t>(given));
  return task;
}

std::vector<Task> Exhaustive::take_apart() {
  std::vector<Task> tasks;
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    for (std::size_t i = (*frame)->items.size(); i > 0; --i) {
      tasks.push_back({names_of(execution_.naming()), {part_of(**frame, i - 1, i)}});
    }
    (*frame)->items.clear();
  }
  return tasks;
}

}  // namespace heddle::sim::engine
