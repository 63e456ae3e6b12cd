#!/usr/bin/env python3
"""usage: check_locale_test.py COMPILER

scripts/check_locale passes plain code, and fails calls that follow the locale."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "check_locale")
COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"


class CheckLocale(unittest.TestCase):
    def check(self, code, *options):
        with tempfile.TemporaryDirectory() as folder:
            source, compiled = os.path.join(folder, "a.cpp"), os.path.join(folder, "a.cpp.o")
            with open(source, "w", encoding="utf-8") as file:
                file.write(code)
            subprocess.run([COMPILER, "-std=c++20", "-O2", "-c", source, "-o", compiled], check=True)
            command = [sys.executable, SCRIPT, *options, compiled]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_passes_what_is_the_same_everywhere(self):
        result = self.check("""#include <charconv>
            #include <string>
            std::string f(int n, const char* s) { return std::to_string(n) + s; }
            double g(const char* a, const char* b) { double v = 0; std::from_chars(a, b, v); return v; }""")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 files, 0 calls", result.stdout)

    def test_fails_planted_calls(self):
        for include, call in [("cstdlib", "double f(const char* s) { return std::strtod(s, nullptr); }"),
                              ("string", "double f(const char* s) { return std::stof(s); }"),
                              ("string", "std::string f(double v) { return std::to_string(v); }"),
                              ("cstdio", "void f(char* s, double v) { std::snprintf(s, 9, \"%f\", v); }"),
                              ("cstdio", "void f(const char* s, float* v) { std::sscanf(s, \"%f\", v); }"),
                              ("sstream", "std::string f(double v) { std::ostringstream s; s << v; return s.str(); }"),
                              ("sstream", "float f(std::istream& s) { float v = 0; s >> v; return v; }"),
                              ("cctype", "int f(int c) { return std::toupper(c); }")]:
            result = self.check(f"#include <{include}>\n{call}\n")
            self.assertEqual(result.returncode, 1, f"{call}\n{result.stdout}")
            self.assertIn("a.cpp.o: ", result.stdout)

    def test_fails_a_program_that_sets_the_locale(self):
        sets = '#include <clocale>\nvoid f() { std::setlocale(LC_ALL, ""); }\n'
        self.assertEqual(self.check(sets, "--program").returncode, 1)
        prints = '#include <cstdio>\nvoid f(double v) { std::printf("%f", v); }\n'
        self.assertEqual(self.check(prints, "--program").returncode, 0)


if __name__ == "__main__":
    unittest.main()
