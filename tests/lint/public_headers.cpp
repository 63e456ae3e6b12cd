// Every public header, compiled with the project's warnings by the build's compiler and by clang++.
#include "sinew/experimental/kernel.h"
#include "sinew/glm.h"
#include "sinew/sinew.h"
