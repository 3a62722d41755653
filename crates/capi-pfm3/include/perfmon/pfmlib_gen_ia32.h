#ifndef PERFMON_PFMLIB_GEN_IA32_H
#define PERFMON_PFMLIB_GEN_IA32_H

#include <perfmon/pfmlib.h>

#define PMU_GEN_IA32_MAX_COUNTERS PFMLIB_MAX_PMCS

typedef struct {
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_gen_ia32_counter_t;

#define PFM_GEN_IA32_SEL_INV 0x1
#define PFM_GEN_IA32_SEL_EDGE 0x2
#define PFM_GEN_IA32_SEL_ANYTHR 0x4


typedef struct {
	pfmlib_gen_ia32_counter_t pfp_gen_ia32_counters[PMU_GEN_IA32_MAX_COUNTERS];
	uint64_t reserved[4];
} pfmlib_gen_ia32_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_gen_ia32_output_param_t;

#endif
