#include "scene/light.h"

namespace sinew::app {
namespace {

constexpr LightColors kColors[] = {
    {{0.62f, 0.62f, 0.28f},
     {2.9f, 2.3f, 1.5f},
     {0.06f, 0.26f, 0.85f},
     {0.62f, 0.86f, 1.15f},
     {0.24f, 0.35f, 0.60f},
     {0.22f, 0.17f, 0.11f},
     0.55f},
    {{0.80f, 0.24f, -0.38f},
     {1.9f, 0.86f, 0.36f},
     {0.035f, 0.05f, 0.17f},
     {0.90f, 0.40f, 0.22f},
     {0.12f, 0.125f, 0.22f},
     {0.07f, 0.05f, 0.045f},
     1.05f},
    {{0.50f, 0.75f, -0.40f},
     {0.16f, 0.22f, 0.38f},
     {0.004f, 0.007f, 0.022f},
     {0.025f, 0.04f, 0.085f},
     {0.03f, 0.042f, 0.085f},
     {0.012f, 0.011f, 0.012f},
     1.5f},
};

}  // namespace

const LightColors& colors_of(Light light) { return kColors[size_t(light)]; }

}  // namespace sinew::app
