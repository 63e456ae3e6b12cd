// What results_in_c.c and results_test.cpp do, each with its own interface.
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kInstances = 6, kFrames = 45, kCrowd = 300, kCrowdFrames = 20, kUpdateAllFrame = 11, kSockets = 2 };

#define CROWD_SCALE 2.5f       // of the sizes of its character
enum { kUnskinnedJoint = 0 };  // moves no vertex

enum { kPlay, kCrossFade, kStop, kSetSpeed, kReset, kResize };  // Event::kind
enum { kAround, kToTheEnd, kBackAndForth };                     // Event::looping

/// What happens to an instance of the player before a frame. kResize: `instance` is the new number of instances.
typedef struct Event {
  int frame, kind;
  uint32_t instance, clip;
  double duration, start;
  float speed, weight;
  int looping, paused;
  uint32_t mask;
} Event;

static const Event kEvents[] = {
    {0, kPlay, 0, 4, 0, 0, 1, 1, kAround, 0, 0},
    {0, kPlay, 1, 3, 0, 0.3, 2.5f, 1, kAround, 0, 0},
    {0, kPlay, 2, 4, 0, 1, -0.7f, 0.5f, kBackAndForth, 0, 0},
    {0, kPlay, 3, 0, 0, 1.5, 1, 1, kToTheEnd, 0, 0},
    {0, kPlay, 4, 2, 0, 0.9, 3, 1, kAround, 1, 0},
    {7, kCrossFade, 0, 3, 0.4, 0.1, 1.5f, 1, kAround, 0, 0},
    {9, kCrossFade, 0, 5, 0.2, 0, 1, 0.8f, kToTheEnd, 0, 1},
    {12, kCrossFade, 5, 1, 0.3, 0, 1, 1, kBackAndForth, 0, 2},
    {15, kSetSpeed, 2, 0, 0, 0, -2, 0, 0, 0, 0},
    {20, kStop, 3, 0, 0.25, 0, 0, 0, 0, 0, 0},
    {24, kSetSpeed, 1, 0, 0, 0, 0, 0, 0, 0, 0},
    {28, kReset, 2, 0, 0, 0, 0, 0, 0, 0, 0},
    {30, kPlay, 2, 4, 0, 0.2, 1, 1, kAround, 0, 0},
    {32, kResize, 5, 0, 0, 0, 0, 0, 0, 0, 0},
    {32, kResize, kInstances, 0, 0, 0, 0, 0, 0, 0, 0},
};
enum { kEventCount = sizeof kEvents / sizeof *kEvents };

/// Times between which root motion is compared.
static const double kTimes[][2] = {{0, 0.5}, {0.2, 5.7}, {3.1, -2.4}, {1, 1}};
enum { kTimeCount = sizeof kTimes / sizeof *kTimes };

// A roster that changes: before which frames a character is added or removed, and for how many plans it is kept.
enum { kRosterFrames = 16, kAddFrame = 2, kRemoveFrame = 5, kAddAgainFrame = 13, kKeptPlans = 3 };
#define ADDED_SCALE 1.25f          // of the sizes of a character that is added
static const uint32_t kLevel = 1;  // at which all are drawn, the second time

/// Who instance i is in a frame: numbers of characters, not all of which are there, and which of those that had them.
static inline uint32_t roster_character(uint32_t i, int frame) { return (i + (uint32_t)frame / 4) % 3; }
static inline uint32_t roster_generation(uint32_t i, int frame) { return i % 5 == 0 ? (uint32_t)frame / 3 : i; }

/// Whether the camera cuts in a frame, so that no earlier image hides anything.
static inline int cuts_in(int frame) { return frame % 6 == 5; }

/// Where instance i of the crowd is: x and z.
static inline float place_x(uint32_t i) { return ((float)(i % 20) - 9.5f) * 1.5f; }
static inline float place_z(uint32_t i) { return -(float)(i / 20) * 3; }

static const float kOffset[3][4] = {{0, -1, 0, 0.1f}, {1, 0, 0, 0.2f}, {0, 0, 1, -0.05f}};  // joint_from_socket
static const float kEye[3] = {0, 1.7f, 6};
static const float kPixelsPerRadian = 1200;

// What hides instances, in every third frame each: a function, those left of an x; a depth image, the left half.
static const float kHiddenLeft = -6, kHiddenDepths[2] = {0, 1}, kHiddenMargin = 0.25f;

/// A camera at kEye that looks along -z: clip_from_world, column-major.
static inline void set_camera(float clip_from_world[16]) {
  const float depth = 1000.0f / (0.1f - 1000);
  const float columns[16] = {
      1, 0, 0, 0, 0, -1.8f, 0, 0, 0, 0, depth, -1, -kEye[0], 1.8f * kEye[1], 0.1f * depth - depth * kEye[2], kEye[2]};
  for (int i = 0; i < 16; ++i) clip_from_world[i] = columns[i];
}

/// A list of results, each with a name.
typedef struct Results Results;
void add_result(Results* results, const char* name, const void* data, size_t size_bytes);

/// Reads a `.sinew` file, does all this, and adds what comes of it; a call that fails adds its message as "error".
void add_results_in_c(const char* path, Results* results);

#ifdef __cplusplus
}
#endif

#endif
