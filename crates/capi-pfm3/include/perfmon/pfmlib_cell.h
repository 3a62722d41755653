#ifndef PERFMON_PFMLIB_CELL_H
#define PERFMON_PFMLIB_CELL_H

#include <perfmon/pfmlib.h>

#define PMU_CELL_NUM_COUNTERS 8

typedef struct {
	unsigned int pmX_control_num; /* 1 to 8, or 0 for any */
	unsigned int spe_subunit;
	unsigned int polarity;
	unsigned int input_control;
	unsigned int cnt_mask;
	unsigned int flags;
} pfmlib_cell_counter_t;

typedef struct {
	unsigned int triggers;
	unsigned int interval;
	unsigned int control;
	pfmlib_cell_counter_t pfp_cell_counters[PMU_CELL_NUM_COUNTERS];
	uint64_t reserved[4];
} pfmlib_cell_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_cell_output_param_t;

#endif
