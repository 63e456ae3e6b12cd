"""A script without an ending in its name as a module, new for each call."""
import importlib.machinery
import importlib.util
import os
import sys


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module
