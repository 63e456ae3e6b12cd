// Of macOS, for sources_test.py.
#pragma once
using natural_t = unsigned;
using mach_msg_type_number_t = natural_t;
using host_info_t = int*;
struct host_cpu_load_info_data_t {
  natural_t cpu_ticks[4];
};
constexpr int KERN_SUCCESS = 0, HOST_CPU_LOAD_INFO = 3, CPU_STATE_IDLE = 2;
constexpr mach_msg_type_number_t HOST_CPU_LOAD_INFO_COUNT = 4;
natural_t mach_host_self();
int host_statistics(natural_t host, int kind, host_info_t info, mach_msg_type_number_t* count);
