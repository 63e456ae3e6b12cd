// volk's own code, compiled once.
#define VOLK_IMPLEMENTATION
#include <volk.h>
