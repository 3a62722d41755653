#ifndef PERFMON_PFMLIB_ITANIUM2_H
#define PERFMON_PFMLIB_ITANIUM2_H

#include <perfmon/pfmlib.h>

#define PMU_ITA2_NUM_COUNTERS 4

typedef enum {
	PFMLIB_ITA2_ISM_BOTH = 0,
	PFMLIB_ITA2_ISM_IA32 = 1,
	PFMLIB_ITA2_ISM_IA64 = 2
} pfmlib_ita2_ism_t;

typedef struct {
	unsigned int flags;
	unsigned int thres;
	pfmlib_ita2_ism_t ism;
} pfmlib_ita2_counter_t;

#define PFMLIB_ITA2_FL_EVT_NO_QUALCHECK 0x1

/* Opcode matching. */
typedef struct {
	unsigned char opcm_used;
	unsigned long pmc_val;
} pfmlib_ita2_opcm_t;

/* The branch trace buffer. */
typedef struct {
	unsigned char btb_used;
	unsigned char btb_ds;
	unsigned char btb_tm;
	unsigned char btb_ptm;
	unsigned char btb_ppm;
	unsigned char btb_brt;
	unsigned int btb_plm;
} pfmlib_ita2_btb_t;

/* Event address registers. */
typedef enum {
	PFMLIB_ITA2_EAR_CACHE_MODE = 0,
	PFMLIB_ITA2_EAR_TLB_MODE = 1,
	PFMLIB_ITA2_EAR_ALAT_MODE = 2
} pfmlib_ita2_ear_mode_t;

typedef struct {
	unsigned char ear_used;
	pfmlib_ita2_ear_mode_t ear_mode;
	pfmlib_ita2_ism_t ear_ism;
	unsigned int ear_plm;
	unsigned long ear_umask;
} pfmlib_ita2_ear_t;

/* Address ranges, whose ends are not included. */
typedef struct {
	unsigned int rr_plm;
	unsigned long rr_start;
	unsigned long rr_end;
} pfmlib_ita2_input_rr_desc_t;

typedef struct {
	unsigned long rr_soff;
	unsigned long rr_eoff;
} pfmlib_ita2_output_rr_desc_t;

typedef struct {
	unsigned int rr_flags;
	pfmlib_ita2_input_rr_desc_t rr_limits[4];
	unsigned char rr_used;
} pfmlib_ita2_input_rr_t;

#define PFMLIB_ITA2_RR_INV 0x1
#define PFMLIB_ITA2_RR_NO_FINE_MODE 0x2

typedef struct {
	unsigned int rr_nbr_used;
	pfmlib_ita2_output_rr_desc_t rr_infos[4];
	pfmlib_reg_t rr_br[8]; /* debug registers to write */
} pfmlib_ita2_output_rr_t;

typedef struct {
	pfmlib_ita2_counter_t pfp_ita2_counters[PMU_ITA2_NUM_COUNTERS];
	unsigned long pfp_ita2_flags;
	pfmlib_ita2_opcm_t pfp_ita2_pmc8;
	pfmlib_ita2_opcm_t pfp_ita2_pmc9;
	pfmlib_ita2_ear_t pfp_ita2_iear;
	pfmlib_ita2_ear_t pfp_ita2_dear;
	pfmlib_ita2_btb_t pfp_ita2_btb;
	pfmlib_ita2_input_rr_t pfp_ita2_drange;
	pfmlib_ita2_input_rr_t pfp_ita2_irange;
	unsigned long reserved[1];
} pfmlib_ita2_input_param_t;

typedef struct {
	pfmlib_ita2_output_rr_t pfp_ita2_drange;
	pfmlib_ita2_output_rr_t pfp_ita2_irange;
	unsigned long reserved[6];
} pfmlib_ita2_output_param_t;

#endif
