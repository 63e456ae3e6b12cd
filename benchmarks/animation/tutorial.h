// A baseline: the structure of the well-known tutorials on skeletal animation.
//
// A tree of named nodes is walked recursively. Every node searches the clip's channel by name, and the channel's keys
// from the first on. The inverse bind matrix comes from a map by name. The map is passed by reference: some tutorials
// copy it at every node, which costs several times as much. Written for the comparison; the library does not use it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "sinew/asset/character.h"

namespace sinew::bench {

struct TutorialNode {
  std::string name;
  glm::mat4 local{1};
  std::vector<TutorialNode> children;
};

struct TutorialJointInfo {
  int index = 0;  // into the final matrices
  glm::mat4 inverse_bind{1};
};

/// The keys of one joint, and its local transform at the last update.
class TutorialChannel {
 public:
  TutorialChannel(std::string name, const JointTracks& tracks, const Transform& rest);
  void update(float seconds);
  std::string name() const { return name_; }  // by value, as in the tutorials
  const glm::mat4& local() const { return local_; }

 private:
  template <class Value>
  struct Key {
    float seconds;
    Value value;
  };
  template <class Value>
  static size_t find_key(const std::vector<Key<Value>>& keys, float seconds);
  template <class Value>
  static float share(const std::vector<Key<Value>>& keys, size_t key, float seconds);

  std::string name_;
  std::vector<Key<glm::vec3>> translations_, scales_;
  std::vector<Key<glm::quat>> rotations_;
  glm::mat4 local_{1};
};

struct TutorialClip {
  float seconds = 0;
  std::vector<TutorialChannel> channels;

  TutorialChannel* find(const std::string& name);
};

/// A character in the tutorials' structure. Evaluation writes to its channels, so only one thread may use it at a time.
struct TutorialModel {
  explicit TutorialModel(const Character& character);

  TutorialNode root;
  std::map<std::string, TutorialJointInfo> joint_infos;
  std::vector<TutorialClip> clips;
};

/// One instance. Borrows `model`.
class TutorialAnimator {
 public:
  TutorialAnimator(TutorialModel& model, uint32_t clip, float seconds);

  /// Advances by `seconds`, looping, and computes the final matrices: one per palette entry.
  void update(float seconds);
  std::span<const glm::mat4> matrices() const { return matrices_; }

 private:
  void visit(const TutorialNode& node, const glm::mat4& parent,
             const std::map<std::string, TutorialJointInfo>& joint_infos);

  TutorialModel* model_;
  TutorialClip* clip_;
  float seconds_;
  std::vector<glm::mat4> matrices_;
};

}  // namespace sinew::bench
