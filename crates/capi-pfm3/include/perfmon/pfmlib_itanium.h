#ifndef PERFMON_PFMLIB_ITANIUM_H
#define PERFMON_PFMLIB_ITANIUM_H

#include <perfmon/pfmlib.h>

#define PMU_ITA_NUM_COUNTERS 4

typedef enum {
	PFMLIB_ITA_ISM_BOTH = 0,
	PFMLIB_ITA_ISM_IA32 = 1,
	PFMLIB_ITA_ISM_IA64 = 2
} pfmlib_ita_ism_t;

typedef struct {
	unsigned int flags;
	unsigned int thres;
	pfmlib_ita_ism_t ism;
} pfmlib_ita_counter_t;

#define PFMLIB_ITA_FL_EVT_NO_QUALCHECK 0x1

/* Opcode matching. */
typedef struct {
	unsigned char opcm_used;
	unsigned long pmc_val;
} pfmlib_ita_opcm_t;

/* The branch trace buffer. */
typedef struct {
	unsigned char btb_used;
	unsigned char btb_tar;
	unsigned char btb_tac;
	unsigned char btb_bac;
	unsigned char btb_tm;
	unsigned char btb_ptm;
	unsigned char btb_ppm;
	unsigned int btb_plm;
} pfmlib_ita_btb_t;

/* Event address registers. */
typedef enum {
	PFMLIB_ITA_EAR_CACHE_MODE = 0,
	PFMLIB_ITA_EAR_TLB_MODE = 1
} pfmlib_ita_ear_mode_t;

typedef struct {
	unsigned char ear_used;
	pfmlib_ita_ear_mode_t ear_mode;
	pfmlib_ita_ism_t ear_ism;
	unsigned int ear_plm;
	unsigned long ear_umask;
} pfmlib_ita_ear_t;

/* Address ranges, whose ends are not included. */
typedef struct {
	unsigned int rr_flags;
	unsigned int rr_plm;
	unsigned long rr_start;
	unsigned long rr_end;
} pfmlib_ita_input_rr_desc_t;

typedef struct {
	unsigned long rr_soff;
	unsigned long rr_eoff;
} pfmlib_ita_output_rr_desc_t;

typedef struct {
	unsigned char rr_used;
	unsigned int rr_flags;
	unsigned int rr_nbr_used;
	pfmlib_ita_input_rr_desc_t rr_limits[4];
} pfmlib_ita_input_rr_t;

typedef struct {
	unsigned int rr_nbr_used;
	pfmlib_ita_output_rr_desc_t rr_infos[4];
	pfmlib_reg_t rr_br[8]; /* debug registers to write */
} pfmlib_ita_output_rr_t;

typedef struct {
	pfmlib_ita_counter_t pfp_ita_counters[PMU_ITA_NUM_COUNTERS];
	unsigned long pfp_ita_flags;
	pfmlib_ita_opcm_t pfp_ita_pmc8;
	pfmlib_ita_opcm_t pfp_ita_pmc9;
	pfmlib_ita_ear_t pfp_ita_iear;
	pfmlib_ita_ear_t pfp_ita_dear;
	pfmlib_ita_btb_t pfp_ita_btb;
	pfmlib_ita_input_rr_t pfp_ita_drange;
	pfmlib_ita_input_rr_t pfp_ita_irange;
	unsigned long reserved[1];
} pfmlib_ita_input_param_t;

typedef struct {
	pfmlib_ita_output_rr_t pfp_ita_drange;
	pfmlib_ita_output_rr_t pfp_ita_irange;
	unsigned long reserved[6];
} pfmlib_ita_output_param_t;

#endif
