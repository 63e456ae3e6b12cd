// The implementation of volk, compiled in this file alone.
#define VOLK_IMPLEMENTATION
#include <volk.h>
