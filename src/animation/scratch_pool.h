// Memory that calls and their tasks use for a while, kept for the next ones: a steady frame allocates nothing.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sinew::internal {

/// Any thread may take scratch memory. There are as many as were ever in use at once.
template <class Scratch>
class ScratchPool {
 public:
  /// Gives its scratch memory back at the end of its scope.
  class Lease {
   public:
    Lease(ScratchPool& pool, std::unique_ptr<Scratch> scratch) : pool_(pool), scratch_(std::move(scratch)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(scratch_)); }
    Scratch& operator*() const { return *scratch_; }
    Scratch* operator->() const { return scratch_.get(); }

   private:
    ScratchPool& pool_;
    std::unique_ptr<Scratch> scratch_;
  };

  /// Throws std::bad_alloc.
  Lease take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++count_);  // so that giving back cannot fail
      return {*this, std::make_unique<Scratch>()};
    }
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    return {*this, std::move(scratch)};
  }

 private:
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
  size_t count_ = 0;  // taken and free; more than there are after memory ran out
};

}  // namespace sinew::internal
