#!/usr/bin/env python3
"""usage: run_page_test.py BUILD_FOLDER

run_page.py passes a right page, and fails planted faults. Its commands need no Vulkan device.
"""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
POSE = "sinew pose assets/character.glb --skinning cpu --clip walk --time 0.5 --output walk.ply"


class RunPage(unittest.TestCase):
    build = None

    def run_page(self, command, text=""):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.md")
            with open(page, "w", encoding="utf-8") as file:
                file.write(f"# A page\n{text}\n```sh\n{command}\n```\n")
            return subprocess.run([sys.executable, os.path.join(HERE, "run_page.py"), page, "--build", self.build],
                                  capture_output=True, text=True, check=False)

    def expect(self, exit_code, words, command, text=""):
        result = self.run_page(command, text)
        self.assertEqual(result.returncode, exit_code, result.stdout + result.stderr)
        self.assertIn(words, result.stdout)

    def test_passes_a_right_page(self):
        self.expect(0, "1 commands, 0 skipped, 0 faults", POSE)
        self.expect(0, "1 commands, 0 skipped, 0 faults", POSE.replace("--clip", "\\\n  --clip"))
        self.expect(0, "0 faults", POSE, "```cpp\nstd::vector<sinew::Matrix3x4> palette(palette_size);\n```")

    def test_fails_commands_that_fail(self):
        self.expect(1, 'no clip "wolk"', POSE.replace("walk ", "wolk "))
        self.expect(1, "exit code", POSE.replace("--time", "--tame"))
        self.expect(1, "the page has no command", "# none")

    def test_fails_files_that_are_missing_or_wrong(self):
        self.expect(1, "out.ply", ": --output out.ply")
        self.expect(1, "is not a PLY", "echo wrong > out.ply; : --output out.ply")
        self.expect(1, "is not a PNG", "echo wrong > out.png; : --screenshot out.png")
        self.expect(1, "has no series", ": --record frames/")
        self.expect(1, "returned non-zero", "echo wrong > out.sinew; : --output out.sinew")

    def test_fails_pictures_of_one_color_and_stills(self):
        png = "import struct,zlib;c=lambda k,d:struct.pack('>I',len(d))+k+d+struct.pack('>I',zlib.crc32(k+d));" \
              "r=b''.join(b'\\2'+bytes({}) for y in range(9));" \
              "open('a.png','wb').write(b'\\x89PNG\\r\\n\\x1a\\n'+c(b'IHDR',struct.pack('>IIBBBBB',99,9,8,0,0,0,0))+" \
              "c(b'IDAT',zlib.compress(r))+c(b'IEND',b''))"
        uniform, varied = png.format("[7]*99"), png.format("range(99)")
        self.expect(1, "has only one color", f'python3 -c "{uniform}" --screenshot a.png')
        self.expect(0, "0 faults", f'python3 -c "{varied}" --screenshot a.png')
        self.expect(1, "is not an animated picture", "echo wrong > a.webp; : --record a.webp")

    def test_fails_code_and_links_that_do_not_match(self):
        self.expect(1, "not in examples", POSE, "```cpp\nstd::vector<float> palette(palette_size);\n```")
        self.expect(1, "broken link: absent.md", POSE, "[a page](absent.md)")

    def test_fails_pictures_that_do_not_move(self):
        with tempfile.NamedTemporaryFile(suffix=".webp") as picture:
            def expect(exit_code, words, frames):
                chunks = b"".join(b"ANMF" + struct.pack("<I", 3) + b"abc\0" for _ in range(frames))
                picture.seek(0)
                picture.write(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks)
                picture.truncate()
                picture.flush()
                self.expect(exit_code, words, POSE, f"![A picture]({picture.name})")
            expect(0, "0 faults", 2)
            expect(1, "not an animated picture", 1)
            expect(1, "more than 150 KB", 20000)

    def test_skips_lines_whose_model_is_absent(self):
        self.expect(77, "SKIPPED, NO MODEL Knight.glb", POSE + "\nsinew info Knight.glb")
        self.expect(1, "1 skipped, 1 faults", POSE.replace("walk ", "wolk ") + "\nsinew info Knight.glb")


if __name__ == "__main__":
    RunPage.build = sys.argv.pop(1)
    unittest.main()
