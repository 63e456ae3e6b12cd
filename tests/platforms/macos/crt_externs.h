// Of macOS, for sources_test.py.
#pragma once
extern "C" char*** _NSGetEnviron();
extern "C" char*** _NSGetArgv();
extern "C" int* _NSGetArgc();
