"""usage: portable_test.py SOURCE_FOLDER BUILD_FOLDER

What scripts/portable would put into its folder holds every library that the programs of this build need; and with a tiny
program instead of Sinew's, the folder runs elsewhere, faults get a line, and nothing is left half-done. scripts/portable
and scripts/try_portable do the rest, for real. The exit code is 77 if a program is not built, or a tool is missing.
"""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

SOURCE, BUILD = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCE, "scripts"))
from load_script import load_script  # noqa: E402

# Of glibc; every system has them.
GLIBC = {"libc.so.6", "libm.so.6", "libmvec.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1",
         "ld-linux-x86-64.so.2"}


def needed_by(path):
    said = subprocess.run(["readelf", "--dynamic", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", said)


class Lists(unittest.TestCase):
    def test_every_library_that_is_needed_is_inside(self):
        done = subprocess.run([os.path.join(SOURCE, "scripts", "portable"), "--list", "--build", BUILD],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = dict(line.split("\t") for line in done.stdout.splitlines())
        inside = {os.path.basename(place) for place in files if place.startswith("lib/")}
        code = [file for place, file in files.items() if re.match(r"(bin|lib)/|.*\.so$", place)]
        needed = {name for file in code for name in needed_by(file)}
        self.assertIn("libassimp.so.5", needed)
        self.assertEqual(needed - inside - GLIBC, set())
        self.assertEqual({name for name in inside if name in GLIBC or "vulkan" in name}, set())
        self.assertIn("lib/fallback/libstdc++.so.6", files)
        self.assertIn("share/sinew/character.glb", files)
        prepared = os.path.join(BUILD, "prepared")
        self.assertEqual({name for name in os.listdir(prepared)} if os.path.isdir(prepared) else set(),
                         {os.path.basename(place) for place in files if place.startswith("share/sinew/prepared/")})


class Folder(unittest.TestCase):
    """A program that prints what a library says, in the place of Sinew's."""

    def setUp(self):
        self.script = load_script("portable")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.at = scratch.name
        self.output = os.path.join(self.at, "out")
        self.script.BUILD = os.path.join(self.at, "build")
        os.mkdir(self.script.BUILD)
        self.script.PROGRAMS, self.script.TESTS = {"tiny": "tiny"}, {}
        self.script.ZSTD_LEVEL = 1  # fast
        self.script.build_programs = lambda with_tests: None
        # The linker of this machine finds the library by a variable, that of a foreign machine by the program's path.
        variable = {**os.environ, "LD_LIBRARY_PATH": self.script.BUILD}
        self.environment = unittest.mock.patch.dict(os.environ, variable)
        self.environment.start()
        self.addCleanup(self.environment.stop)

    def compile(self, name, text, *options):
        path = os.path.join(self.script.BUILD, name)
        subprocess.run(["gcc", "-x", "c", "-", "-o", path, "-x", "none", *options], input=text, text=True, check=True)
        return path

    def make_tiny(self, *of_library, path=None):
        self.compile("libtiny.so", "int tiny() { return 7; }", "-shared", "-fPIC", "-Wl,-soname,libtiny.so", *of_library)
        path = ":".join(self.script.PROGRAM_PATH) if path is None else path
        self.compile("tiny", "int tiny(); int main() { return tiny(); }", f"-L{self.script.BUILD}", "-ltiny",
                     "-Wl,--disable-new-dtags", f"-Wl,-rpath,{path}")

    def make(self):
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            self.script.make(self.output, False)
        return said.getvalue()

    def fails(self):
        with self.assertRaises(self.script.Fault) as caught:
            self.make()
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(os.listdir(self.output) if os.path.exists(self.output) else [], [])
        return str(caught.exception)

    def test_the_archive_runs_elsewhere(self):
        self.make_tiny()
        said = self.make()
        archive, = (name for name in os.listdir(self.output) if name.endswith(".tar.zst"))
        name = archive.removesuffix(".tar.zst")
        self.assertRegex(name, r"^sinew-\d+\.\d+\.\d+-[0-9a-f]{12}(-dirty)?-x86_64$")
        self.assertIn("MiB", said)
        elsewhere = os.path.join(self.at, "else where")
        os.mkdir(elsewhere)
        subprocess.run(["tar", "--extract", "--zstd", "--file", os.path.join(self.output, archive), "--directory",
                        elsewhere], check=True)
        shutil.rmtree(self.script.BUILD)
        shutil.rmtree(self.output)
        program = os.path.join(elsewhere, name, "bin", "tiny")
        self.assertEqual(subprocess.run([program], env={}, check=False).returncode, 7)
        with open(os.path.join(elsewhere, name, "README.txt"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(name, text)
        self.assertNotIn("@", text)
        self.assertNotIn("run_tests", text)

    def test_made_again_it_replaces_the_old_one(self):
        self.make_tiny()
        self.make()
        self.make()
        self.assertEqual(len(os.listdir(self.output)), 2)

    def test_a_missing_library_has_its_name_in_the_line(self):
        self.make_tiny()
        os.remove(os.path.join(self.script.BUILD, "libtiny.so"))
        self.assertIn("libtiny.so", self.fails())

    def test_a_program_that_is_not_built_has_its_name_in_the_line(self):
        self.assertIn("target tiny", self.fails())

    def test_a_library_with_a_path_of_its_own_is_refused(self):
        self.make_tiny("-Wl,-rpath,/somewhere")
        self.assertIn("/somewhere", self.fails())

    def test_a_program_with_another_path_is_refused_and_nothing_stays(self):
        self.make_tiny(path="/somewhere")
        self.assertIn("/somewhere", self.fails())


def main():
    for tool in ("readelf", "gcc", "zstd", "git"):
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not installed")
            return 77
    script = load_script("portable")
    for path in {**script.PROGRAMS, **script.TESTS}.values():
        if not os.path.exists(os.path.join(BUILD, path)):
            print(f"SKIPPED: {path} is not built")
            return 77
    done = unittest.main(argv=sys.argv[:1], exit=False)
    return 0 if done.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
