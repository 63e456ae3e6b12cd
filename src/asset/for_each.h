// Loops on the host's threads.
#pragma once

#include <atomic>
#include <cstdint>

#include "asset/exceptions.h"
#include "sinew/asset/parallel.h"

namespace sinew::internal {

/// Calls `work(i)` for every i below `count`, in any order, and returns when all are done. Throws std::bad_alloc on the
/// calling thread if a call of `work` threw it.
template <class Work>
void for_each(const ParallelFor& parallel_for, uint32_t count, Work&& work) {
  if (count == 1) return work(0);
  std::atomic<bool> failed{false};
  for_each_index(parallel_for, count, [&](uint32_t i) {
    SINEW_TRY { work(i); }
    SINEW_CATCH_BAD_ALLOC(failed = true;)
  });
  if (failed) throw_bad_alloc();
}

/// Cuts `count` items into at most 16 pieces of about equal size, of at least `min_items` each, except the last. The
/// pieces do not depend on the number of threads.
struct Pieces {
  Pieces(uint32_t count, uint32_t min_items) : count_(count) {
    const uint32_t even = count / kMaxPieces + (count % kMaxPieces > 0);
    items_ = even < min_items ? min_items : even;
  }

  uint32_t count() const { return count_ / items_ + (count_ % items_ > 0); }
  uint32_t begin(uint32_t piece) const { return piece * items_; }
  uint32_t end(uint32_t piece) const { return count_ - begin(piece) > items_ ? begin(piece) + items_ : count_; }

 private:
  static constexpr uint32_t kMaxPieces = 16;
  uint32_t count_, items_;
};

}  // namespace sinew::internal
