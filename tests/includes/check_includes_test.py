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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class CheckIncludes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.root)
        for folder in ("include", "src", "shaders", "examples"):
            shutil.copytree(os.path.join(TOP, folder), os.path.join(cls.root, folder))

    def setUp(self):
        self.planted = []

    def assert_caught(self, path, line, name):
        """Plants a line at the end of a file. At the end of the test the check must report these lines and no other."""
        self.planted.append((path, line, name))

    def tearDown(self):
        if not self.planted:
            return
        before = {path: read(os.path.join(self.root, path)) for path, _, _ in self.planted}
        for path, text in before.items():
            lines = "".join(line + "\n" for at, line, _ in self.planted if at == path)
            write(os.path.join(self.root, path), text + lines)
        result = check(self.root)
        for path, text in before.items():
            write(os.path.join(self.root, path), text)
        self.assertEqual(result.returncode, 1, self.planted)
        for path, _, name in self.planted:
            self.assertRegex(result.stdout, rf"(?m)^{path}:\d+: {name}: ")
        self.assertRegex(result.stdout, rf"(?m)^\d+ files, {len(self.planted)} includes")

    def test_passes_the_tree_as_it_is(self):
        result = check(self.root)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"^[1-9]\d* files, 0 includes")

    def test_asset_includes_nothing_that_stands_on_it(self):
        for header in ("animation/pose", "vulkan/skinner", "import/import"):
            self.assert_caught("src/asset/mesh.cpp", f'#include "sinew/{header}.h"', f"sinew/{header}.h")
        self.assert_caught("include/sinew/asset/mesh.h", '#include "sinew/animation/pose.h"', "sinew/animation/pose.h")

    def test_neighbors_know_nothing_of_each_other(self):
        self.assert_caught("include/sinew/vulkan/skinner.h", "#include <sinew/animation/evaluator.h>",
                           "sinew/animation/evaluator.h")
        self.assert_caught("include/sinew/import/import.h", '#  include "sinew/vulkan/skinner.h"', "sinew/vulkan/skinner.h")
        self.assert_caught("src/animation/palette.cpp", '#include "sinew/import/import.h"', "sinew/import/import.h")

    def test_crowd_knows_nothing_of_vulkan_and_glm(self):
        self.assert_caught("src/crowd/planner.cpp", '#include "sinew/vulkan/skinner.h"', "sinew/vulkan/skinner.h")
        self.assert_caught("include/sinew/crowd/frame.h", "#include <glm/mat4x4.hpp>", "glm/mat4x4.hpp")
        self.assert_caught("src/app/scene/crowd_input.cpp", '#include "crowd/visibility.h"', "crowd/visibility.h")

    def test_the_program_uses_public_headers_only(self):
        self.assert_caught("src/app/main.cpp", '#include "../asset/error.h"', "../asset/error.h")
        self.assert_caught("src/app/scene/load.cpp", '#include "asset/archive.h"', "asset/archive.h")
        self.assert_caught("src/app/gpu/pages.cpp", '#include "vulkan/page_set.h"', "vulkan/page_set.h")

    def test_the_host_knows_no_character(self):
        self.assert_caught("src/host/device.cpp", '#include "sinew/asset/character.h"', "sinew/asset/character.h")
        self.assert_caught("src/host/screen.h", '#include "sinew/vulkan/skinner.h"', "sinew/vulkan/skinner.h")
        self.assert_caught("src/host/device.cpp", '#include "asset/plain_text.h"', "asset/plain_text.h")
        self.assert_caught("src/host/screen.cpp", '#include "app/gpu/pages.h"', "app/gpu/pages.h")
        self.assert_caught("src/vulkan/upload.cpp", '#include "host/device.h"', "host/device.h")
        self.assert_caught("examples/minimal/main.cpp", '#include "app/gpu/host.h"', "app/gpu/host.h")

    def test_examples_use_public_headers_only(self):
        self.assert_caught("examples/minimal/main.cpp", '#include "app/gpu/pages.h"', "app/gpu/pages.h")
        self.assert_caught("examples/minimal/main.cpp", '#include "vulkan/page_set.h"', "vulkan/page_set.h")
        self.assert_caught("examples/minimal/main.cpp", '#include "crowd/street.h"', "crowd/street.h")
        self.assert_caught("examples/crowd/main.cpp", '#include "minimal/main.cpp"', "minimal/main.cpp")
        self.assert_caught("examples/minimal/main.cpp", "#include <GLFW/glfw3.h>", "GLFW/glfw3.h")

    def test_the_import_worker_uses_public_headers_without_vulkan(self):
        self.assert_caught("src/import_worker/main.cpp", '#include "sinew/vulkan/skinner.h"', "sinew/vulkan/skinner.h")
        self.assert_caught("src/import_worker/main.cpp", '#include "import/scene.h"', "import/scene.h")
        self.assert_caught("src/import/load.cpp", '#include "import_worker/process_limits.h"',
                           "import_worker/process_limits.h")

    def test_headers_for_c_include_no_cpp(self):
        self.assert_caught("include/sinew/c/asset.h", '#include "sinew/asset/mesh.h"', "sinew/asset/mesh.h")
        self.assert_caught("include/sinew/vulkan/draw.h", '#include "sinew/c/base.h"', "sinew/c/base.h")
        self.assert_caught("src/c/asset.cpp", '#include "asset/archive.h"', "asset/archive.h")

    def test_a_lent_header_is_lent_only_to_layers_that_need_it(self):
        self.assert_caught("src/vulkan/upload.cpp", '#include "asset/file.h"', "asset/file.h")
        self.assert_caught("src/import/image.cpp", '#include "vulkan/frame_layout.h"', "vulkan/frame_layout.h")

    def test_folders_of_the_program_stand_on_each_other_in_one_order(self):
        self.assert_caught("src/app/gpu/pages.cpp", '#include "render/renderer.h"', "render/renderer.h")
        self.assert_caught("src/app/skinning/skinning.h", '#include "render/renderer.h"', "render/renderer.h")
        self.assert_caught("src/app/skinning/evaluation.h", '#include "crowd/report/report.h"', "crowd/report/report.h")

    def test_the_librarys_shaders_share_nothing_with_the_programs(self):
        self.assert_caught("src/vulkan/skinner.cpp", '#include "shared/crowd.h"', "shared/crowd.h")
        self.assert_caught("shaders/shared/skinning.h", '#include "crowd.h"', "crowd.h")

    def test_libraries_stay_where_they_belong(self):
        skinner = "include/sinew/vulkan/skinner.h"
        self.assert_caught(skinner, "#include <volk.h>", "volk.h")
        self.assert_caught(skinner, "#include <vulkan/vulkan.h>", "vulkan/vulkan.h")
        self.assert_caught("include/sinew/asset/math.h", "#include <glm/vec3.hpp>", "glm/vec3.hpp")
        self.assert_caught("src/animation/sample.cpp", "#include <assimp/scene.h>", "assimp/scene.h")
        self.assert_caught("src/app/render/pipelines.cpp", "#include <GLFW/glfw3.h>", "GLFW/glfw3.h")
        self.assert_caught("src/asset/clip.cpp", "#include <boost/any.hpp>", "boost/any.hpp")

    def test_a_file_of_no_layer_is_reported(self):
        self.assert_reported("include/sinew/odds/ends.h")

    def test_a_public_header_that_sinew_h_lacks_is_reported(self):
        self.assert_reported("include/sinew/asset/odds.h")

    def assert_reported(self, path):
        file_path = os.path.join(self.root, path)
        folder = os.path.dirname(file_path)
        is_new = not os.path.exists(folder)
        os.makedirs(folder, exist_ok=True)
        write(file_path, "#pragma once\n")
        result = check(self.root)
        shutil.rmtree(folder) if is_new else os.remove(file_path)
        self.assertEqual(result.returncode, 1)
        self.assertIn(path, result.stdout)


if __name__ == "__main__":
    unittest.main()
