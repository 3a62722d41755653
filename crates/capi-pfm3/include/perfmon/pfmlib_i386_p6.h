#ifndef PERFMON_PFMLIB_I386_P6_H
#define PERFMON_PFMLIB_I386_P6_H

#include <perfmon/pfmlib.h>

#define PMU_I386_P6_NUM_COUNTERS 2

typedef struct {
	unsigned int cnt_mask;
	unsigned int flags;
} pfmlib_i386_p6_counter_t;

#define PFM_I386_P6_SEL_INV 0x1
#define PFM_I386_P6_SEL_EDGE 0x2


typedef struct {
	pfmlib_i386_p6_counter_t pfp_i386_p6_counters[PMU_I386_P6_NUM_COUNTERS];
	uint64_t reserved[4];
} pfmlib_i386_p6_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_i386_p6_output_param_t;

#endif
