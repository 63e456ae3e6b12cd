"""The files of the repository, for the scripts that check them."""
import os

SKIPPED = {".git", "build", "out", "node_modules", "__pycache__"}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def found(root, endings, folders=("",)):
    """Paths in `root` of all files below these folders of it whose names have an ending; without what is built."""
    for top in folders:
        for folder, inner, names in os.walk(os.path.join(root, top)):
            inner[:] = sorted(set(inner) - SKIPPED)
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(folder, name), root)
