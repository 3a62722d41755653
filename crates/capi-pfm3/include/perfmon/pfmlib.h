#ifndef PERFMON_PFMLIB_H
#define PERFMON_PFMLIB_H

/*
 * Register dispatch, with the interface of libpfm 3.10: events to the registers that count them.
 */
#include <inttypes.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFMLIB_VERSION (3 << 16 | 10)
#define PFMLIB_MAJ_VERSION(v) ((v) >> 16)
#define PFMLIB_MIN_VERSION(v) ((v) & 0xffff)

#define PFMLIB_MAX_PMCS 512
#define PFMLIB_MAX_PMDS 512
#define PFMLIB_REG_MAX 512
#define PFMLIB_MAX_MASKS_PER_EVENT 48

/* Privilege levels: 0 is the kernel's, 3 that of programs. */
#define PFM_PLM0 0x1
#define PFM_PLM1 0x2
#define PFM_PLM2 0x4
#define PFM_PLM3 0x8

typedef unsigned long pfmlib_regmask_bits_t;

#define PFMLIB_REG_BV_BITS (sizeof(pfmlib_regmask_bits_t) * 8)
#define PFMLIB_REG_BV (PFMLIB_REG_MAX / PFMLIB_REG_BV_BITS)

/* A set of registers. */
typedef struct {
	pfmlib_regmask_bits_t bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

/* An event with its unit masks; pfm_find_full_event fills it. */
typedef struct {
	unsigned int event;
	unsigned int plm; /* 0: pfp_dfl_plm */
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks;
	unsigned long reserved[2];
} pfmlib_event_t;

/* A register: its value, its address, and its number as perfmon2 has it. */
typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr;
	unsigned int reg_num;
	unsigned int reg_reserved1;
	unsigned long reg_alt_addr;
} pfmlib_reg_t;

/* The registers are for a session that measures the whole system. */
#define PFMLIB_PFP_SYSTEMWIDE 0x1

/* What is to be counted. */
typedef struct {
	unsigned int pfp_event_count;
	unsigned int pfp_dfl_plm; /* not 0 */
	unsigned int pfp_flags;
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	pfmlib_regmask_t pfp_unavail_pmcs; /* PMCs that may not be used */
	unsigned long reserved[6];
} pfmlib_input_param_t;

/* The registers to write (PMCs) and to read (PMDs): first the counter of each event, in their order. */
typedef struct {
	unsigned int pfp_pmc_count;
	unsigned int pfp_pmd_count;
	pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS];
	pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS];
	unsigned long reserved[7];
} pfmlib_output_param_t;

typedef struct {
	unsigned int pfm_debug : 1;
	unsigned int pfm_verbose : 1;
	unsigned int pfm_reserved : 30;
} pfmlib_options_t;

typedef int pfm_err_t;

#define PFMLIB_SUCCESS 0
#define PFMLIB_ERR_NOTSUPP -1
#define PFMLIB_ERR_INVAL -2
#define PFMLIB_ERR_NOINIT -3
#define PFMLIB_ERR_NOTFOUND -4
#define PFMLIB_ERR_NOASSIGN -5
#define PFMLIB_ERR_FULL -6
#define PFMLIB_ERR_EVTMANY -7
#define PFMLIB_ERR_MAGIC -8
#define PFMLIB_ERR_FEATCOMB -9
#define PFMLIB_ERR_EVTSET -10
#define PFMLIB_ERR_EVTINCOMP -11
#define PFMLIB_ERR_TOOMANY -12
#define PFMLIB_ERR_IRRTOOBIG -13
#define PFMLIB_ERR_IRREMPTY -14
#define PFMLIB_ERR_IRRINVAL -15
#define PFMLIB_ERR_IRRTOOMANY -16
#define PFMLIB_ERR_DRRINVAL -17
#define PFMLIB_ERR_DRRTOOMANY -18
#define PFMLIB_ERR_BADHOST -19
#define PFMLIB_ERR_IRRALIGN -20
#define PFMLIB_ERR_IRRFLAGS -21
#define PFMLIB_ERR_UMASK -22
#define PFMLIB_ERR_NOMEM -23

/* Numbers of models; LIBPFM_FORCE_PMU takes one of them, or the name of a model. */
#define PFMLIB_NO_PMU -1
#define PFMLIB_UNKNOWN_PMU 0
#define PFMLIB_GEN_IA64_PMU 1
#define PFMLIB_ITANIUM_PMU 2
#define PFMLIB_ITANIUM2_PMU 3
#define PFMLIB_MONTECITO_PMU 4
#define PFMLIB_AMD64_PMU 16
#define PFMLIB_I386_P6_PMU 32
#define PFMLIB_PENTIUM4_PMU 33
#define PFMLIB_COREDUO_PMU 34
#define PFMLIB_I386_PM_PMU 35
#define PFMLIB_INTEL_CORE_PMU 36
#define PFMLIB_INTEL_PPRO_PMU 37
#define PFMLIB_INTEL_PII_PMU 38
#define PFMLIB_INTEL_ATOM_PMU 39
#define PFMLIB_INTEL_NHM_PMU 40
#define PFMLIB_INTEL_WSM_PMU 41
#define PFMLIB_GEN_IA32_PMU 63
#define PFMLIB_CELL_PMU 100

extern pfm_err_t pfm_initialize(void);
extern pfm_err_t pfm_set_options(pfmlib_options_t *opt);
extern pfm_err_t pfm_get_version(unsigned int *version);
extern char *pfm_strerror(int code);

extern pfm_err_t pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));
extern pfm_err_t pfm_get_pmu_name(char *name, int maxlen);
extern pfm_err_t pfm_get_pmu_type(int *type);
extern pfm_err_t pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);
extern pfm_err_t pfm_is_pmu_supported(int type);
extern pfm_err_t pfm_force_pmu(int type);

extern pfm_err_t pfm_find_event(const char *str, unsigned int *idx);
extern pfm_err_t pfm_find_event_byname(const char *name, unsigned int *idx);
extern pfm_err_t pfm_find_event_bycode(int code, unsigned int *idx);
extern pfm_err_t pfm_find_event_bycode_next(int code, unsigned int start, unsigned int *next);
extern pfm_err_t pfm_find_event_mask(unsigned int event_idx, const char *str, unsigned int *mask_idx);
extern pfm_err_t pfm_find_full_event(const char *str, pfmlib_event_t *e);

extern pfm_err_t pfm_get_max_event_name_len(size_t *len);
extern pfm_err_t pfm_get_num_events(unsigned int *count);
extern pfm_err_t pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count);
extern pfm_err_t pfm_get_event_name(unsigned int idx, char *name, size_t maxlen);
extern pfm_err_t pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen);
extern pfm_err_t pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char *name, size_t maxlen);
extern pfm_err_t pfm_get_event_code(unsigned int idx, int *code);
extern pfm_err_t pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code);
extern pfm_err_t pfm_get_event_mask_code(unsigned int event_idx, unsigned int mask_idx, unsigned int *code);
extern pfm_err_t pfm_get_event_description(unsigned int idx, char **str);
extern pfm_err_t pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char **desc);
extern pfm_err_t pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters);

extern pfm_err_t pfm_dispatch_events(pfmlib_input_param_t *p, void *mod_in, pfmlib_output_param_t *q, void *mod_out);

extern pfm_err_t pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs);
extern pfm_err_t pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds);
extern pfm_err_t pfm_get_impl_counters(pfmlib_regmask_t *impl_counters);
extern pfm_err_t pfm_get_num_pmcs(unsigned int *num);
extern pfm_err_t pfm_get_num_pmds(unsigned int *num);
extern pfm_err_t pfm_get_num_counters(unsigned int *num);
extern pfm_err_t pfm_get_hw_counter_width(unsigned int *width);
extern pfm_err_t pfm_get_cycle_event(pfmlib_event_t *e);
extern pfm_err_t pfm_get_inst_retired_event(pfmlib_event_t *e);

static inline int pfm_regmask_isset(pfmlib_regmask_t *h, unsigned int b)
{
	return b < PFMLIB_REG_MAX && h->bits[b / PFMLIB_REG_BV_BITS] >> b % PFMLIB_REG_BV_BITS & 1;
}

static inline int pfm_regmask_set(pfmlib_regmask_t *h, unsigned int b)
{
	if (b >= PFMLIB_REG_MAX)
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_REG_BV_BITS] |= 1UL << b % PFMLIB_REG_BV_BITS;
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_clr(pfmlib_regmask_t *h, unsigned int b)
{
	if (h == NULL || b >= PFMLIB_REG_MAX)
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_REG_BV_BITS] &= ~(1UL << b % PFMLIB_REG_BV_BITS);
	return PFMLIB_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
