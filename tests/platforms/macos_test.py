"""usage: macos_test.py OBJECT.o...

Finds functions of Linux and glibc that macOS lacks, in the symbols that compiled code needs. Prints a line for each, and
exits with 1 if there is one. A list of names does not replace a compiler of macOS.
"""
import os
import re
import subprocess
import sys

LACKING = re.compile(
    r"^(accept4|canonicalize_file_name|clearenv|clock_nanosleep|copy_file_range|dl_iterate_phdr|epoll_\w+|eventfd"
    r"|execvpe|exp10f?|fallocate|fdatasync|get_nprocs|getauxval|getrandom|gettid|inotify_\w+|malloc_usable_size|mallinfo2?"
    r"|memfd_create|mempcpy|memrchr|mremap|pipe2|posix_fadvise|posix_fallocate|ppoll|prctl|pthread_barrier_\w+"
    r"|pthread_spin_\w+|rawmemchr|statx|strerror_l"
    r"|posix_spawn_file_actions_addclosefrom_np|program_invocation_\w+|pthread_setaffinity_np|pthread_timedjoin_np"
    r"|qsort_r|renameat2|sched_\w+affinity|secure_getenv|sem_timedwait|sendfile|sigtimedwait|sigwaitinfo|splice|strchrnul"
    r"|sysinfo|timerfd_\w+|__sched_cpu\w+)$")
# What files call on Linux alone: they have something else for macOS.
ONLY_ON_LINUX = [("thread_pool.cpp.o", "sched_getaffinity"), ("thread_pool.cpp.o", "__sched_cpucount"),
                 ("child_posix.cpp.o", "pipe2"),
                 ("child_posix.cpp.o", "posix_spawn_file_actions_addclosefrom_np")]
FOR_LINUX = "sandbox_linux.cpp.o"


def main(objects):
    found = []
    objects = [path for path in objects if path.endswith(".o") and os.path.basename(path) != FOR_LINUX]
    for path in objects:  # and no compiled headers
        listed = subprocess.run(["nm", "-u", path], capture_output=True, text=True, check=True).stdout
        symbols = [line.split()[-1].split("@")[0] for line in listed.splitlines()]
        found += [f"{path}: {symbol}, which macOS lacks" for symbol in symbols
                  if LACKING.match(symbol) and (os.path.basename(path), symbol) not in ONLY_ON_LINUX]
    print("\n".join(found + [f"{len(objects)} objects, {len(found)} calls"]))
    return 1 if found or not objects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
