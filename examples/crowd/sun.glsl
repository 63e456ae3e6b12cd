// What the low sun reaches: nothing behind the gate in the west, which scenery.cpp builds.
const float kGateX = -25.0, kGateHeight = 6.6;

float sun_share(vec3 world) {
  float height_at_gate = world.y + (world.x - kGateX) * kToSun.y / -kToSun.x;  // of the way to the sun
  return world.x < kGateX ? 1.0 : smoothstep(kGateHeight - 0.2, kGateHeight + 0.2, height_at_gate);
}
