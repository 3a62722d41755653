#ifndef PERFMON_PFMLIB_CORE_H
#define PERFMON_PFMLIB_CORE_H

#include <perfmon/pfmlib.h>

#define PMU_CORE_NUM_COUNTERS 5

typedef struct {
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_core_counter_t;

#define PFM_CORE_SEL_INV 0x1
#define PFM_CORE_SEL_EDGE 0x2


typedef struct {
	unsigned int pebs_used;
} pfmlib_core_pebs_t;

typedef struct {
	pfmlib_core_counter_t pfp_core_counters[PMU_CORE_NUM_COUNTERS];
	pfmlib_core_pebs_t pfp_core_pebs;
	uint64_t reserved[4];
} pfmlib_core_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_core_output_param_t;

#endif
