// Built without CMake: with the flags of `pkg-config --cflags --libs sinew-animation sinew-vulkan vulkan`.
#include "linked/main.cpp"
