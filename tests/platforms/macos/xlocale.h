// Of macOS, for sources_test.py: <locale.h> and <stdlib.h> of Linux have what that system has here.
#pragma once
