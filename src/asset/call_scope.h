// What objects of the host have that take one call at a time: a second one is found, and refused.
#pragma once

#include <atomic>
#include <string>

#include "sinew/asset/result.h"

namespace sinew::internal {

/// The scope of a call. `other` is the name of a call that runs already, or null.
class CallScope {
 public:
  CallScope(std::atomic<const char*>& running, const char* call) : running_(running) {
    running_.compare_exchange_strong(other_, call);
  }
  ~CallScope() {
    if (other_ == nullptr) running_ = nullptr;
  }
  CallScope(const CallScope&) = delete;
  const char* other() const { return other_; }

 private:
  std::atomic<const char*>& running_;
  const char* other_ = nullptr;
};

/// `of`: what takes one call at a time.
inline Error not_alone(const char* call, const char* other, const char* of) {
  return {ErrorCode::kInvalidArgument, std::string(call) + ": " + other + "() of this " + of +
                                           " is running, in another thread or around this call; a " + of +
                                           " takes one call at a time"};
}

}  // namespace sinew::internal
