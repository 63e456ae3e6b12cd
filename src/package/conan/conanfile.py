"""Builds the tree that it lies in: conan create src/package/conan. docs/packages.md says how to use it."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
EXPORTED = ["CMakeLists.txt", "LICENSE", "include/*", "shaders/*", "src/*"]
# What each library needs of the others, and of packages.
COMPONENTS = {"asset": [], "animation": ["asset", "highway::highway"], "crowd": ["animation"],
              "vulkan": ["asset", "vulkan-headers::vulkan-headers"], "runtime": ["crowd", "vulkan"]}
IMPORT = ["assimp/5.4.3", "draco/1.5.6", "libwebp/1.3.2", "meshoptimizer/0.20", "nlohmann_json/3.11.3", "pugixml/1.14",
          "stb/cci.20230920", "tinygltf/2.9.0", "zlib/1.3.1"]


class Sinew(ConanFile):
    name = "sinew"
    package_type = "library"
    test_package_folder = os.path.join(TOP, "tests", "embedding", "packages")
    license = "MIT"
    description = "Crowds of animated characters in Vulkan"
    topics = "animation", "skinning", "vulkan", "crowd"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_import": [True, False], "with_c": [True, False]}
    default_options = {"shared": False, "fPIC": True, "with_import": False, "with_c": False}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        header = load(self, os.path.join(TOP, "include", "sinew", "version.h"))
        self.version = re.search(r'SINEW_VERSION_STRING "([\d.]+)"', header).group(1)

    def export_sources(self):
        for pattern in EXPORTED:
            copy(self, pattern, TOP, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("highway/1.2.0")
        self.requires("vulkan-headers/1.3.268.0", transitive_headers=True)
        for package in IMPORT if self.options.with_import else []:
            self.requires(package)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        switches = {"ANIMATION": True, "VULKAN": True, "IMPORT": bool(self.options.with_import),
                    "C": bool(self.options.with_c), "PROGRAM": False, "TESTS": False, "EXAMPLES": False,
                    "BENCHMARKS": False}
        for switch, value in switches.items():
            toolchain.cache_variables[f"SINEW_BUILD_{switch}"] = value
        for switch in "C_SHARED", "CCACHE", "GLSLC", "RENDERDOC", "WERROR":
            toolchain.cache_variables[f"SINEW_{switch}"] = False
        toolchain.cache_variables["SINEW_INSTALL"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in os.path.join("lib", "cmake"), os.path.join("lib", "pkgconfig"), "share":
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sinew")
        components = dict(COMPONENTS)
        if self.options.with_import:
            packages = [package.split("/")[0] for package in IMPORT]
            components["import"] = ["animation"] + [f"{package}::{package}" for package in packages]
        if self.options.with_c:
            components["c"] = ["runtime"] + (["import"] if self.options.with_import else [])
        for name, requires in components.items():
            component = self.cpp_info.components[name]
            component.libs = [f"sinew-{name}"]
            component.requires = requires
            component.set_property("cmake_target_name", f"sinew::{name}")
            component.set_property("pkg_config_name", f"sinew-{name}")
            if self.settings.os == "Linux":
                component.system_libs = ["m", "pthread", "dl"]
