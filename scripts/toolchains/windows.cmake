# 64-bit Windows by Debian's g++-mingw-w64-x86-64-posix; programs of the build run under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# No DLL of the compiler beside the programs.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
find_program(SINEW_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(SINEW_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${SINEW_WINE})
endif()
# Packages come from CMAKE_PREFIX_PATH only: this machine's own are for another system.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
list(APPEND CMAKE_FIND_ROOT_PATH ${CMAKE_PREFIX_PATH})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
