#ifndef PERFMON_PFMLIB_COREDUO_H
#define PERFMON_PFMLIB_COREDUO_H

#include <perfmon/pfmlib.h>

#define PMU_COREDUO_NUM_COUNTERS 2

typedef struct {
	unsigned long cnt_mask;
	unsigned int flags;
} pfm_coreduo_counter_t;

#define PFM_COREDUO_SEL_INV 0x1
#define PFM_COREDUO_SEL_EDGE 0x2


typedef struct {
	pfm_coreduo_counter_t pfp_coreduo_counters[PMU_COREDUO_NUM_COUNTERS];
	uint64_t reserved[4];
} pfmlib_coreduo_input_param_t;

#endif
