"""usage: kept_driver_test.py TEST_PROGRAM

A program that runs several tests loads the Vulkan driver once (tests/kept_driver.cpp). Tests alone load it once too.
"""
import collections
import os
import re
import subprocess
import sys

FILTER = "--gtest_filter=Kernels.SplitMeshes*:Kernels.RotateNormals*:Morphs.CostNothing*"


def loads(said):
    """How often each library was loaded, by its path; layers left out, which tests turn on and off."""
    return collections.Counter(path for path in re.findall(r"calling init: (\S+)", said) if "VkLayer" not in path)


def main():
    done = subprocess.run([sys.argv[1], FILTER], env={**os.environ, "LD_DEBUG": "files"}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, errors="replace")
    if "[  SKIPPED ]" in done.stdout:
        print("SKIPPED: NO VULKAN DEVICE: whether the driver stays loaded was not tested here")
        return 77
    if done.returncode != 0 or "Running 3 tests" not in done.stdout:
        print(done.stdout)
        return 1
    again = {path: count for path, count in loads(done.stderr).items() if count > 1}
    print(f"loaded more than once: {again or 'nothing'}")
    return 1 if again else 0


if __name__ == "__main__":
    sys.exit(main())
