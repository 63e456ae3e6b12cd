"""A script without an ending in its name as a module, new for each call."""
import importlib.machinery
import importlib.util
import os
import sys


def load_script(source, name):
    """`source` is the folder of the repository."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(source, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module
