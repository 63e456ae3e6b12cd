#!/usr/bin/env python3
"""scripts/check_includes.py passes the tree as it is, and fails it once a bad include is planted."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def check(root):
    command = [sys.executable, os.path.join(TOP, "scripts", "check_includes.py"), root]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class CheckIncludes(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("include", "src", "shaders"):
            shutil.copytree(os.path.join(TOP, folder), os.path.join(self.root, folder))

    def assert_caught(self, path, line, name):
        file_path = os.path.join(self.root, path)
        with open(file_path, encoding="utf-8") as file:
            before = file.read()
        with open(file_path, "a", encoding="utf-8") as file:
            file.write(line + "\n")
        result = check(self.root)
        with open(file_path, "w", encoding="utf-8") as file:
            file.write(before)
        self.assertEqual(result.returncode, 1, line)
        self.assertRegex(result.stdout, rf"(?m)^{path}:\d+: {name}: ")

    def test_passes_the_tree_as_it_is(self):
        result = check(self.root)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"^[1-9]\d* files, 0 includes")

    def test_asset_includes_nothing_that_stands_on_it(self):
        for header in ("sample", "vulkan", "import"):
            self.assert_caught("src/asset/mesh.cpp", f'#include "sinew/{header}.h"', f"sinew/{header}.h")
        self.assert_caught("include/sinew/mesh.h", '#include "sinew/palette.h"', "sinew/palette.h")

    def test_neighbors_know_nothing_of_each_other(self):
        self.assert_caught("include/sinew/vulkan.h", "#include <sinew/crowd.h>", "sinew/crowd.h")
        self.assert_caught("include/sinew/import.h", '#  include "sinew/vulkan.h"', "sinew/vulkan.h")
        self.assert_caught("src/animation/palette.cpp", '#include "sinew/import.h"', "sinew/import.h")

    def test_the_program_uses_public_headers_only(self):
        self.assert_caught("src/app/main.cpp", '#include "../asset/error.h"', "../asset/error.h")

    def test_the_librarys_shaders_share_nothing_with_the_programs(self):
        self.assert_caught("src/vulkan/skinner.cpp", '#include "shared/crowd.h"', "shared/crowd.h")
        self.assert_caught("shaders/shared/skinning.h", '#include "crowd.h"', "crowd.h")

    def test_libraries_stay_where_they_belong(self):
        self.assert_caught("include/sinew/vulkan.h", "#include <volk.h>", "volk.h")
        self.assert_caught("include/sinew/vulkan.h", "#include <vulkan/vulkan.h>", "vulkan/vulkan.h")
        self.assert_caught("include/sinew/math.h", "#include <glm/vec3.hpp>", "glm/vec3.hpp")
        self.assert_caught("src/animation/sample.cpp", "#include <assimp/scene.h>", "assimp/scene.h")
        self.assert_caught("src/asset/clip.cpp", "#include <boost/any.hpp>", "boost/any.hpp")

    def test_a_file_of_no_part_is_reported(self):
        with open(os.path.join(self.root, "include/sinew/odds.h"), "w", encoding="utf-8") as file:
            file.write("#pragma once\n")
        result = check(self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("include/sinew/odds.h", result.stdout)


if __name__ == "__main__":
    unittest.main()
