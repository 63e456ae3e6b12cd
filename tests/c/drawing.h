// What is drawn of a crowd.
#ifndef DRAWING_H
#define DRAWING_H

#include "device.h"
#include "sinew/c/sinew.h"

/// The socket and the mask that a model of check_drawing() has.
#define SOCKET "hand"
#define SOCKET_JOINT "hand_r"
#define MASK "arm"
#define MASK_JOINT "upper_arm_r"

/// Draws people of a model in each way. Returns the failures.
int check_drawing(const Device* device, const SinewModel* model);

#endif
