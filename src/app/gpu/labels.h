// What the program's debug labels are about. It decides their color.
#pragma once

#include "host/device.h"

namespace sinew::app {

using host::Label;

struct LabelKind {
  static constexpr host::LabelColor kFrame{0.35f, 0.40f, 0.50f}, kDraw{0.25f, 0.50f, 0.90f},
      kShadowMap{0.45f, 0.35f, 0.60f}, kBackdrop{0.60f, 0.50f, 0.40f}, kDepth{0.40f, 0.55f, 0.75f},
      kCrowd{0.20f, 0.75f, 0.85f}, kLines{0.90f, 0.60f, 0.20f}, kOverlay{0.80f, 0.80f, 0.30f},
      kPresent{0.50f, 0.50f, 0.50f};
};

}  // namespace sinew::app
