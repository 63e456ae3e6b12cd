// A baseline: the structure that the well-known tutorials of skeletal animation have.
//
// A tree of named nodes is walked recursively. At every node the clip's channel is found by name, its keys are searched
// from the first, and the inverse bind is found in a map from names, which is passed by reference (in some tutorials it
// is copied, at every node, and costs several times as much). Written for the comparison; nothing of it is in the
// library.
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
  int index = 0;  // in the final matrices
  glm::mat4 inverse_bind{1};
};

/// One joint's keys, and its transform when last updated.
class TutorialChannel {
 public:
  TutorialChannel(std::string name, const JointTracks& tracks, const Transform& rest);
  void update(float seconds);
  std::string name() const { return name_; }  // by value, as there
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

/// A character as the tutorials hold it. Evaluation writes into its channels: one thread at a time.
struct TutorialModel {
  explicit TutorialModel(const Character& character);

  TutorialNode root;
  std::map<std::string, TutorialJointInfo> joint_infos;
  std::vector<TutorialClip> clips;
};

/// One instance. `model` is borrowed.
class TutorialAnimator {
 public:
  TutorialAnimator(TutorialModel& model, uint32_t clip, float seconds);

  /// Moves on by `seconds` and computes the final matrices, one for each entry of the palette.
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
