"""usage: measure_test.py SOURCE_FOLDER BUILD_FOLDER

With scripts of a line in the place of Sinew's programs: src/package/portable/measure runs its steps in their order, and
one that fails, hangs or is missing costs nothing else; scripts/measure_gpu keeps the results, and refuses what is not
such a folder. `scripts/measure_gpu try` does the same for real.
"""
import contextlib
import io
import json
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

STEPS = ["devices", "skinning", "validation", "tests", "crowd", "passes"]
FILES = {"machine.txt", "steps.txt", "skinning.txt", "skinning.json", "validation.txt", "crowd.txt", "crowd.json",
         "passes.json"}
# Prints its arguments, and writes the report that --json names.
PROGRAM = """#!/bin/sh
echo "says $0 $*"
while [ $# -gt 0 ]; do
  [ "$1" != --json ] || echo '{DEVICE}' >"$2"
  shift
done
"""
SKINNING, CROWD = "bin/sinew_bench_skinning", "bin/sinew"
H200 = {SKINNING: '{"device": "NVIDIA H200"}', CROWD: '{"device": {"name": "NVIDIA H200"}}'}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def tree(folder):
    """Name and content of every file below a folder."""
    return {os.path.relpath(os.path.join(at, name), folder): read(at, name)
            for at, _, names in os.walk(folder) for name in names}


def without_output(*arguments, run=subprocess.run, **options):
    return run(*arguments, **{"stdout": subprocess.DEVNULL, **options})


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(scratch.cleanup)
        self.at = scratch.name
        self.folder, self.results = os.path.join(self.at, "folder"), os.path.join(self.at, "results")
        os.makedirs(os.path.join(self.folder, "bin"))
        shutil.copy(os.path.join(SOURCE, "src", "package", "portable", "measure"), self.folder)
        write(os.path.join(self.folder, "README.txt"), "sinew-1\n")
        for name in (SKINNING, CROWD, "run_tests"):
            self.program(name, PROGRAM.replace("{DEVICE}", H200.get(name, "")))

    def program(self, name, text):
        write(os.path.join(self.folder, name), text)
        os.chmod(os.path.join(self.folder, name), 0o755)

    def measure(self, *arguments, **options):
        return subprocess.run([os.path.join(self.folder, "measure"), *arguments, self.results], capture_output=True,
                              text=True, check=False, **options)

    def steps(self):
        """What each step has ended with, in the order of the lines."""
        return dict(line.split(": ", 1) for line in read(self.results, "steps.txt").splitlines())


class Measure(Scratch):
    def test_steps_run_in_the_order_of_their_worth(self):
        done = self.measure()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(list(self.steps()), STEPS)
        self.assertEqual({text.partition(" in ")[0] for text in self.steps().values()}, {"done"})
        self.assertEqual(done.stdout.splitlines()[:-1], read(self.results, "steps.txt").splitlines())
        self.assertEqual(done.stdout.splitlines()[-1], f"In {self.results}: {' '.join(sorted(FILES))}")
        self.assertEqual(set(os.listdir(self.results)), FILES)
        skinning = read(self.results, "skinning.txt")
        self.assertIn("--bounds --characters 10000,100000,1000 --frames 7 --json skinning.json\n", skinning)
        self.assertLess(skinning.index("$ bin/sinew_bench_skinning --bounds"), skinning.index("says "))

    def test_options_reach_every_program(self):
        self.assertEqual(self.measure("--characters", "7,5", "--frames", "2").returncode, 0)
        for name, times in (("skinning", 1), ("crowd", 2)):
            said = [line for line in read(self.results, f"{name}.txt").splitlines() if line.startswith("says")]
            self.assertEqual(len([line for line in said if "--characters 7,5" in line and "--frames 2" in line]), times)
        self.assertIn("crowd --characters 7 --frames 2 --validate", read(self.results, "validation.txt"))

    def test_programs_find_the_validation_layer_of_the_folder_and_keep_their_files_there(self):
        self.program(CROWD, "#!/bin/sh\necho \"layers in $VK_LAYER_PATH, files in $XDG_CACHE_HOME\"")
        self.measure()
        self.assertIn(f"layers in {self.folder}/layers, files in {self.folder}/cache\n",
                      read(self.results, "validation.txt"))

    def test_the_machine_is_described(self):
        self.program("nvidia-smi", "#!/bin/sh\necho \"Clocks $*\"")
        self.measure(env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        said = read(self.results, "machine.txt")
        for text in ("sinew-1\n", " processors: ", "$ nvidia-smi, before\nClocks -q", "says ", "devices\n",
                     "$ nvidia-smi, after\nClocks -q"):
            self.assertIn(text, said)

    def test_a_step_that_fails_is_named_and_the_next_ones_run(self):
        self.program(SKINNING, "#!/bin/sh\necho first\necho ' sinew: no memory' >&2\nexit 3")
        self.assertEqual(self.measure().returncode, 0)
        self.assertRegex(self.steps()["skinning"], r"^failed with exit code 3 after \d+ s: sinew: no memory$")
        self.assertIn("first\n", read(self.results, "skinning.txt"))
        self.assertTrue(all(text.startswith("done") for step, text in self.steps().items() if step != "skinning"))

    def test_a_step_that_hangs_is_cut_off_and_keeps_what_it_has_written(self):
        self.program("run_tests", "#!/bin/sh\necho 'first test'\nexec sleep 60")
        self.assertEqual(self.measure("--seconds", "4").returncode, 0)
        self.assertRegex(self.steps()["tests"], r"^ran out of time after [12] s$")
        self.assertIn("first test\n", read(self.results, "validation.txt"))
        self.assertTrue(self.steps()["crowd"].startswith("done"))

    def test_when_time_has_run_out_a_program_may_write_its_report_and_the_rest_is_left_out(self):
        self.program(CROWD, "#!/bin/sh\necho $$ >>pids\ncase \"$*\" in *stress*) ;; *) exit 0 ;; esac\n"
                     "trap 'echo {} >crowd.json; exit 0' INT\nwhile :; do sleep 0.1; done")
        self.assertEqual(self.measure("--seconds", "2").returncode, 0)
        self.assertRegex(self.steps()["crowd"], r"^ran out of time after [123] s$")
        self.assertEqual(read(self.results, "crowd.json"), "{}\n")
        self.assertEqual(self.steps()["passes"], "left out, no time is left")

    def test_a_missing_program_is_named_and_the_next_ones_run(self):
        os.remove(os.path.join(self.folder, "run_tests"))
        self.assertEqual(self.measure().returncode, 0)
        self.assertEqual(self.steps()["tests"], "left out, run_tests is missing")
        self.assertTrue(self.steps()["crowd"].startswith("done"))

    def test_ctrl_c_ends_all_and_keeps_what_there_is(self):
        # Of the step and of the script, as a terminal does it.
        self.program("run_tests", "#!/bin/sh\necho 'first test'\nkill -INT $(cat script)\nkill -INT $$\nsleep 60")
        write(os.path.join(self.results, "script"), "")
        done = subprocess.run(["sh", "-c", 'echo $$ >"$2/script"; exec "$1" "$2"', "sh",
                               os.path.join(self.folder, "measure"), self.results], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 130)
        self.assertEqual(self.steps()["crowd"], "left out, stopped by Ctrl+C")
        self.assertIn("first test\n", read(self.results, "validation.txt"))

    def test_a_long_text_is_shortened_to_its_beginning(self):
        self.program("run_tests", "#!/bin/sh\nyes message | head -c 20000000\nexit 1")
        self.measure()
        self.assertEqual(os.path.getsize(os.path.join(self.results, "validation.txt")), 8 << 20)
        self.assertTrue(read(self.results, "validation.txt").startswith("$ bin/sinew crowd"))
        self.assertEqual(set(os.listdir(self.results)), FILES)

    def refuses(self, code, *arguments):
        done = self.measure(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""))
        self.assertRegex(done.stderr, r"^measure: .+\n$")
        return done.stderr

    def test_a_folder_that_cannot_be_written_is_refused(self):
        self.results = "/proc"
        self.assertIn("/proc", self.refuses(1))
        self.results = os.path.join(self.folder, "README.txt", "results")
        self.assertIn(self.results, self.refuses(1))

    def test_a_folder_that_has_results_is_refused_and_stays(self):
        write(os.path.join(self.results, "steps.txt"), "old\n")
        self.assertIn("has results already", self.refuses(1))
        self.assertEqual(tree(self.results), {"steps.txt": "old\n"})

    def test_wrong_commands_are_refused(self):
        for wrong in (["--seconds", "0"], ["--seconds", "x"], ["--frames", "-1"], ["--seconds"], ["--unknown", "1"]):
            self.refuses(2, *wrong)
        self.assertFalse(os.path.exists(self.results))


class Keep(Scratch):
    measured = None  # the files of one run, for all tests

    def setUp(self):
        super().setUp()
        self.script = load_script("measure_gpu")
        self.root = os.path.join(self.at, "kept")
        os.mkdir(self.root)
        if Keep.measured is None:
            self.measure()
            Keep.measured = tree(self.results)
        for name, text in Keep.measured.items():
            self.result(name, text)

    def keep(self, name=None):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.script.keep(self.results, name, self.root)
        return said.getvalue()

    def refuses(self, name=None):
        before = tree(self.root)
        with self.assertRaises(self.script.Fault) as caught:
            self.keep(name)
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(tree(self.root), before)
        self.assertEqual([name for name in os.listdir(self.root) if name.startswith(".")], [])
        return str(caught.exception)

    def result(self, name, text):
        write(os.path.join(self.results, name), text)

    def test_all_files_are_kept_by_the_name_of_the_device(self):
        said = self.keep()
        self.assertEqual(tree(self.root), {f"nvidia-h200/{name}": read(self.results, name) for name in FILES})
        self.assertEqual(said.count("Wrote "), len(FILES))
        self.assertNotIn("Missing", said)

    def test_a_name_that_is_given_is_taken(self):
        self.keep("other-name")
        self.assertEqual(os.listdir(self.root), ["other-name"])
        self.assertIn("'../x'", self.refuses("../x"))

    def test_steps_that_are_not_done_are_named(self):
        self.result("steps.txt", "devices: done in 0 s\nskinning: ran out of time after 9 s\n")
        said = self.keep()
        self.assertIn("Missing: skinning: ran out of time after 9 s\n", said)
        self.assertIn("Missing: passes: not reached\n", said)
        self.assertNotIn("Missing: devices", said)

    def test_tests_that_were_skipped_are_named(self):
        one = "[ RUN      ] {0}\n[  SKIPPED ] {0} (2 ms)\n"
        self.result("validation.txt", "[ RUN      ] A.b\n[       OK ] A.b (1 ms)\n" + one.format("C.d") +
                    "[  SKIPPED ] C.d\n")
        self.assertIn("Missing: tests: 1 of 2 were skipped\n", self.keep())

    def test_other_files_are_not_kept_and_a_report_that_is_cut_off_is_named(self):
        self.result("core", "x")
        self.result("crowd.json", '{"device": {"na')
        self.assertIn("crowd.json is cut off: left out\n", self.keep())
        self.assertEqual(set(os.listdir(os.path.join(self.root, "nvidia-h200"))), FILES - {"crowd.json"})

    def test_paths_of_other_machines_are_shortened(self):
        self.result("validation.txt", "/home/a/sinew/tests/vulkan/draw_test.cpp:3: Failure\n"
                    "no file '/b/c/share/sinew/x'\n1/2 /a/bin/sinew crowd")
        self.keep()
        self.assertEqual(read(self.root, "nvidia-h200", "validation.txt"),
                         "tests/vulkan/draw_test.cpp:3: Failure\nno file 'share/sinew/x'\n1/2 bin/sinew crowd")

    def test_what_is_no_folder_of_results_is_refused(self):
        os.remove(os.path.join(self.results, "steps.txt"))
        self.assertIn("steps.txt", self.refuses())
        self.results = os.path.join(self.at, "nothing")
        self.assertIn("nothing", self.refuses())

    def test_results_of_no_device_or_of_two_are_refused(self):
        self.result("crowd.json", '{"device": {"name": "Other"}}')
        self.assertIn("NVIDIA H200 and of Other", self.refuses())
        for name in ("skinning.json", "crowd.json", "passes.json"):
            self.result(name, "[]")
        self.assertIn("no device", self.refuses())

    def test_files_of_another_device_are_not_replaced(self):
        write(os.path.join(self.root, "nvidia-h200", "skinning.txt"), "device  AMD X (discrete), RADV\n")
        self.assertIn("AMD X", self.refuses())
        write(os.path.join(self.root, "nvidia-h200", "skinning.txt"), "nothing\n")
        self.assertIn("unknown device", self.refuses())

    def test_files_of_the_same_device_are_replaced_and_others_stay(self):
        write(os.path.join(self.root, "nvidia-h200", "skinning.txt"), "device  NVIDIA H200 (discrete), old\n")
        write(os.path.join(self.root, "nvidia-h200", "looks.json"), "{}")
        self.keep()
        self.assertEqual(set(os.listdir(os.path.join(self.root, "nvidia-h200"))), FILES | {"looks.json"})
        self.assertEqual(read(self.root, "nvidia-h200", "skinning.txt"), read(self.results, "skinning.txt"))

    def test_what_is_interrupted_leaves_everything_as_it_was(self):
        write(os.path.join(self.root, "nvidia-h200", "skinning.txt"), "device  NVIDIA H200 (discrete), old\n")
        before, rename = tree(self.root), os.rename
        for failing in (1, 2):
            calls = iter(range(1, 9))
            with unittest.mock.patch("os.rename", lambda a, b: rename(a, b) if next(calls) != failing else 1 / 0):
                self.assertRaises(ZeroDivisionError, self.keep)
            self.assertEqual(tree(self.root), before)


class Make(Scratch):
    def setUp(self):
        super().setUp()
        self.script = load_script("measure_gpu")

    def test_an_archive_that_is_too_large_is_refused_with_its_largest_files(self):
        archive = os.path.join(self.at, "archive")
        write(archive, "x" * 3000000)
        self.program("bin/large", "x" * 4000000)
        self.script.check_size(self.folder, archive, 3)
        with self.assertRaisesRegex(self.script.Fault, r"2\.9 MiB, more than 2 MiB.*: bin/large 3\.8 MiB, .*measure "):
            self.script.check_size(self.folder, archive, 2)

    def test_a_folder_of_something_else_is_not_replaced(self):
        self.script.check_output(self.folder)
        self.script.check_output(os.path.join(self.at, "new"))
        os.mkdir(self.results)
        self.assertRaisesRegex(self.script.Fault, "results", self.script.check_output, self.results)

    def try_it(self):
        def make(output, limit):
            os.mkdir(os.path.dirname(output))
            subprocess.run(["tar", "-czf", f"{output}.tar.gz", "-C", self.at, "folder"], check=True)
        self.script.make = make
        with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch("subprocess.run", without_output):
            self.script.try_it(self.results)

    def test_a_trial_runs_all_and_names_what_is_not_done(self):
        self.try_it()
        self.assertEqual(set(os.listdir(self.results)), FILES)
        self.program("run_tests", "#!/bin/sh\necho Running 0 tests")
        self.assertRaisesRegex(self.script.Fault, "^not done: no test is named [^;]*$", self.try_it)
        self.program(SKINNING, "#!/bin/sh\nexit 3")
        self.assertRaisesRegex(self.script.Fault, "not done: skinning: failed.*; skinning.json;", self.try_it)

    def test_what_the_system_may_lack_is_a_fallback(self):
        names = [*self.script.FALLBACKS.values()]
        for name in names:
            shutil.copy("/bin/true", os.path.join(self.at, name))
        files = self.script.fallbacks(["/nonexistent", self.at])
        self.assertEqual(files, {f"lib/fallback/{name}": os.path.join(self.at, name) for name in names})
        # The system's own come first.
        path = self.script.portable.PROGRAM_PATH
        self.assertGreater(path.index("$ORIGIN/../lib/fallback"), path.index("/lib64"))
        for name in ("libX11.so.6", "libGLX.so.0"):
            os.remove(os.path.join(self.at, name))
        with self.assertRaisesRegex(self.script.Fault, "^not installed: the packages libx11-6, libglx0$"):
            self.script.fallbacks([self.at])

    def test_the_loader_is_a_fallback_and_what_no_step_needs_stays_out(self):
        programs = {**self.script.PROGRAMS, **self.script.portable.TESTS}
        missing = [path for path in programs.values() if not os.path.exists(os.path.join(BUILD, path))]
        if missing:
            self.skipTest(f"{missing[0]} is not built")
        self.script.portable.licenses = lambda libraries: {}  # slow
        self.script.FALLBACKS = {"libvulkan1": "libvulkan.so.1"}  # the others are not of this project's packages
        files = self.script.contents(BUILD)
        self.assertIn("libvulkan.so.1", os.path.basename(files["lib/fallback/libvulkan.so.1"]))
        self.assertIn("measure", files)
        self.assertIn("run_tests", files)
        self.assertIn("share/sinew/character.glb", files)
        left_out = re.compile("models/|share/sinew/prepared|bin/.*animation")
        self.assertEqual([place for place in files if left_out.match(place)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
