#!/usr/bin/env python3
"""scripts/check_words passes plain words, and fails planted old ones."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "check_words")


class CheckWords(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "src/app"))
            with open(os.path.join(root, "src/app/scene.cpp"), "w", encoding="utf-8") as file:
                file.write(text)
            return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)

    def test_passes_plain_words(self):
        plain = ["uint32_t not_updated = 0;  // instances that this frame does not update",
                 'json["held"] = run.not_updated;', "const auto copy = static_cast<uint32_t>(count);",
                 "// Instances that cast shadows.", "color = normalize(center);"]
        result = self.check("\n".join(plain))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 files, 0 words", result.stdout)

    def test_fails_old_names_and_dialect(self):
        for line in ["Casting casting(models, scene);", "struct Economy {};", "bool homeless = false;",
                     "// who is seen in this frame", "float colour;", "constexpr int kMostClips = 24;",
                     "// in metres", "const BakedJoint& step = baked.joints[0];", "// Nobody reads it.",
                     "info.barriers = Barriers::kRelease;"]:
            result = self.check(line)
            self.assertEqual(result.returncode, 1, line)
            self.assertIn("src/app/scene.cpp:1: ", result.stdout)


if __name__ == "__main__":
    unittest.main()
