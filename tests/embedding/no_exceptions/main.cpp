// The same as ../linked, and proof that the flags are in force.
#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this is to be compiled with -fno-exceptions -fno-rtti"
#endif
#include "../linked/main.cpp"
