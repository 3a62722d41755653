#ifndef PERFMON_PFMLIB_INTEL_ATOM_H
#define PERFMON_PFMLIB_INTEL_ATOM_H

#include <perfmon/pfmlib.h>

#define PMU_INTEL_ATOM_NUM_COUNTERS 5

typedef struct {
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_intel_atom_counter_t;

#define PFM_INTEL_ATOM_SEL_INV 0x1
#define PFM_INTEL_ATOM_SEL_EDGE 0x2
#define PFM_INTEL_ATOM_SEL_ANYTHR 0x4


typedef struct {
	pfmlib_intel_atom_counter_t pfp_intel_atom_counters[PMU_INTEL_ATOM_NUM_COUNTERS];
	unsigned int pfp_intel_atom_pebs_used;
	uint64_t reserved[4];
} pfmlib_intel_atom_input_param_t;

#endif
