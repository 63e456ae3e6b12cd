"""usage: reference_test.py DOXYGEN, in the folder of the sources

Makes the reference of the public headers. Fails on any warning, and where a type, or a function outside of classes, has
no description. Members and short operators whose names say everything need none.
"""
import re
import subprocess
import sys
import tempfile

# Vector arithmetic and conversions: their names and types are their description.
PLAIN = re.compile(r"/(math|glm)\.h:\d+: ")
NEEDED = re.compile(r": (error|warning): (Compound .*|Member .*\(function\) of (?:namespace|file) .*) is not documented")
UNDOCUMENTED = re.compile(r" is not documented\.$")


def warnings(doxygen, folder):
    with open("docs/Doxyfile", encoding="utf-8") as file:
        settings = file.read() + f"OUTPUT_DIRECTORY = {folder}\nWARN_IF_UNDOCUMENTED = YES\nWARN_AS_ERROR = NO\n"
    done = subprocess.run([doxygen, "-"], input=settings, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f"doxygen ends with {done.returncode}"] + done.stderr.splitlines()
    with open(f"{folder}/html/index.html", encoding="utf-8") as page:
        if "Sinew" not in page.read():
            return ["the first page does not name Sinew"]
    return [line for line in done.stderr.splitlines() if line.strip()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        lines = warnings(sys.argv[1], folder)
    bad = [line for line in lines
           if not UNDOCUMENTED.search(line) or (NEEDED.search(line) and not PLAIN.search(line))]
    print("\n".join(bad))
    print(f"{len(lines)} lines of doxygen, {len(bad)} to mend")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
