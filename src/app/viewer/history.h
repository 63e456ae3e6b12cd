// Undo and redo of a state that is a value: what it was before each change.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sinew::app {

/// `State` can be copied and compared.
template <class State>
class History {
 public:
  /// Remembers at most `most` changes; the oldest are forgotten.
  explicit History(State now, size_t most = 100) : now_(std::move(now)), most_(most) {}

  /// Call it when a change has ended, or more often: a state that equals the last one is no change. A change forgets
  /// what was undone.
  void add(State state) {
    const bool changed = !(state == now_);
    if (changed) {
      undone_.clear();
      done_.push_back(std::move(now_));
      if (done_.size() > most_) done_.erase(done_.begin());
    }
    now_ = std::move(state);
  }

  /// The state before the last change, or the one that was undone last. Null: there is none. Valid until the next call.
  const State* undo() { return go(done_, undone_); }
  const State* redo() { return go(undone_, done_); }

 private:
  const State* go(std::vector<State>& from, std::vector<State>& to) {
    if (from.empty()) return nullptr;
    to.push_back(std::exchange(now_, std::move(from.back())));
    from.pop_back();
    return &now_;
  }

  State now_;
  size_t most_;
  std::vector<State> done_, undone_;
};

}  // namespace sinew::app
