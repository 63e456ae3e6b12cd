// Which models are in the crowd: some arrive while the street is drawn, made on a thread of their own, and one leaves.
#pragma once

#include <future>
#include <string>

#include "crowd_renderer.h"
#include "street.h"

namespace street {

/// A model of people about 1.8 m tall; with a socket for a lantern, where it has a right hand.
sinew::SharedModel load(const std::string& path);

/// The file of a built-in character.
std::string look(const char* name);

class Roster {
 public:
  /// What it uses must outlive it. Models 0 and 1 of the crowd are on the street from the start. `waits`: a model
  /// arrives at its time, however long it takes to load, so that a picture does not depend on the machine.
  Roster(sinew::vulkan::SkinnedCrowd& crowd, example::CrowdRenderer& renderer, Street& street, bool waits);

  /// Between two frames: adds the model whose time has come, and removes the one that has no people any more.
  void advance(double seconds);

 private:
  void load_next();
  void remove(double seconds);

  sinew::vulkan::SkinnedCrowd& crowd_;
  example::CrowdRenderer& renderer_;
  Street& street_;
  bool waits_, is_removed_ = false;
  double next_seconds_;                                // when it arrives
  size_t next_ = 0;                                    // of the models that arrive
  std::future<sinew::vulkan::PreparedModel> loading_;  // waits at its end: no thread outlives the crowd
};

}  // namespace street
