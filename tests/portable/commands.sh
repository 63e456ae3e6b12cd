: commands.sh of tests/portable
# What a portable folder must be able to do, where nothing of Sinew is installed. scripts/try_portable runs it there with
# sh, in that folder; run_tests is missing from one that has no tests.
set -eu
step() {
  echo "portable: $*"
  "$@" >/tmp/said 2>&1 || { cat /tmp/said; echo "portable: FAILED: $*"; exit 1; }
}
expect() { # text: in what the last step has printed
  grep -q "$1" /tmp/said || { cat /tmp/said; echo "portable: FAILED: no '$1'"; exit 1; }
}

step bin/sinew devices
expect llvmpipe
step bin/sinew crowd --characters 100 --frames 3 --warmup 1
expect "100 characters in"
step bin/sinew crowd models/character.fbx --characters 20 --frames 2 --warmup 1 --size 320x180 --skinning vertex
for model in share/sinew/character.glb models/character.fbx models/character.dae; do
  step bin/sinew info "$model"
  expect joints
done
step bin/sinew_bench_skinning --characters 70 --frames 1
step bin/sinew_bench_animation --benchmark_filter=none

# From another folder, and by a link.
here=$PWD
ln -s "$here/bin/sinew" /tmp/linked
cd /
step /tmp/linked crowd --characters 5 --frames 1 --warmup 0 --size 64x64
cd "$here"

if [ -e run_tests ]; then
  step ./run_tests
  tail -n 3 /tmp/said
  expect "PASSED"
  ! grep -q "NO VULKAN DEVICE FOR THIS TEST" /tmp/said || { echo "portable: FAILED: tests without a device"; exit 1; }
fi
