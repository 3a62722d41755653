#ifndef PERFMON_PFMLIB_AMD64_H
#define PERFMON_PFMLIB_AMD64_H

#include <perfmon/pfmlib.h>

#define PMU_AMD64_MAX_COUNTERS 4

typedef struct {
	uint32_t cnt_mask;
	uint32_t flags;
} pfmlib_amd64_counter_t;

#define PFM_AMD64_SEL_INV 0x1
#define PFM_AMD64_SEL_EDGE 0x2
#define PFM_AMD64_SEL_GUEST 0x4
#define PFM_AMD64_SEL_HOST 0x8

/* A part of instruction-based sampling. */
typedef struct {
	unsigned int maxcnt;
	unsigned int options;
} ibs_param_t;

#define IBS_OPTIONS_RANDEN 1
#define IBS_OPTIONS_UOPS 1

#define PFMLIB_AMD64_USE_IBSFETCH 1
#define PFMLIB_AMD64_USE_IBSOP 2

typedef struct {
	pfmlib_amd64_counter_t pfp_amd64_counters[PMU_AMD64_MAX_COUNTERS];
	uint32_t flags; /* PFMLIB_AMD64_USE_... */
	uint32_t reserved1;
	ibs_param_t ibsfetch;
	ibs_param_t ibsop;
	uint64_t reserved2;
} pfmlib_amd64_input_param_t;

/* Where the registers begin among the PMDs. */
typedef struct {
	uint32_t ibsfetch_base;
	uint32_t ibsop_base;
	uint64_t reserved[7];
} pfmlib_amd64_output_param_t;

#define PMD_IBSFETCHCTL 0
#define PMD_IBSFETCHLINAD 1
#define PMD_IBSFETCHPHYSAD 2
#define PMD_IBSOPCTL 0
#define PMD_IBSOPRIP 1
#define PMD_IBSOPDATA 2
#define PMD_IBSOPDATA2 3
#define PMD_IBSOPDATA3 4
#define PMD_IBSDCLINAD 5
#define PMD_IBSDCPHYSAD 6

#endif
