#ifndef PERFMON_PFMLIB_MONTECITO_H
#define PERFMON_PFMLIB_MONTECITO_H

#include <perfmon/pfmlib.h>

#define PMU_MONT_NUM_COUNTERS 12

typedef struct {
	unsigned int flags;
	unsigned int thres;
} pfmlib_mont_counter_t;

#define PFMLIB_MONT_FL_EVT_NO_QUALCHECK 0x1
#define PFMLIB_MONT_FL_EVT_ALL_THRD 0x2
#define PFMLIB_MONT_FL_EVT_ACTIVE_ONLY 0x4
#define PFMLIB_MONT_FL_EVT_ALWAYS 0x8

/* Opcode matching. */
typedef struct {
	unsigned char opcm_used;
	unsigned char opcm_m;
	unsigned char opcm_i;
	unsigned char opcm_f;
	unsigned char opcm_b;
	unsigned long opcm_match;
	unsigned long opcm_mask;
} pfmlib_mont_opcm_t;

/* The execution trace buffer. */
typedef struct {
	unsigned char etb_used;
	unsigned int etb_plm;
	unsigned char etb_tm;
	unsigned char etb_ptm;
	unsigned char etb_ppm;
	unsigned char etb_brt;
} pfmlib_mont_etb_t;

typedef struct {
	unsigned char ipear_used;
	unsigned int ipear_plm;
	unsigned short ipear_delay;
} pfmlib_mont_ipear_t;

/* Event address registers. */
typedef enum {
	PFMLIB_MONT_EAR_CACHE_MODE = 0,
	PFMLIB_MONT_EAR_TLB_MODE = 1,
	PFMLIB_MONT_EAR_ALAT_MODE = 2
} pfmlib_mont_ear_mode_t;

typedef struct {
	unsigned char ear_used;
	pfmlib_mont_ear_mode_t ear_mode;
	unsigned int ear_plm;
	unsigned long ear_umask;
} pfmlib_mont_ear_t;

/* Address ranges, whose ends are not included. */
typedef struct {
	unsigned int rr_plm;
	unsigned long rr_start;
	unsigned long rr_end;
} pfmlib_mont_input_rr_desc_t;

typedef struct {
	unsigned long rr_soff;
	unsigned long rr_eoff;
} pfmlib_mont_output_rr_desc_t;

typedef struct {
	unsigned int rr_flags;
	pfmlib_mont_input_rr_desc_t rr_limits[4];
	unsigned char rr_used;
} pfmlib_mont_input_rr_t;

#define PFMLIB_MONT_RR_INV 0x1
#define PFMLIB_MONT_RR_NO_FINE_MODE 0x2
#define PFMLIB_MONT_IRR_DEMAND_FETCH 0x4
#define PFMLIB_MONT_IRR_PREFETCH_MATCH 0x8

typedef struct {
	unsigned int rr_nbr_used;
	pfmlib_mont_output_rr_desc_t rr_infos[4];
	pfmlib_reg_t rr_br[8]; /* debug registers to write */
} pfmlib_mont_output_rr_t;

typedef struct {
	pfmlib_mont_counter_t pfp_mont_counters[PMU_MONT_NUM_COUNTERS];
	unsigned long pfp_mont_flags;
	pfmlib_mont_opcm_t pfp_mont_opcm1;
	pfmlib_mont_opcm_t pfp_mont_opcm2;
	pfmlib_mont_ear_t pfp_mont_iear;
	pfmlib_mont_ear_t pfp_mont_dear;
	pfmlib_mont_etb_t pfp_mont_etb;
	pfmlib_mont_ipear_t pfp_mont_ipear;
	pfmlib_mont_input_rr_t pfp_mont_drange;
	pfmlib_mont_input_rr_t pfp_mont_irange;
	unsigned long reserved[1];
} pfmlib_mont_input_param_t;

typedef struct {
	pfmlib_mont_output_rr_t pfp_mont_drange;
	pfmlib_mont_output_rr_t pfp_mont_irange;
	unsigned long reserved[6];
} pfmlib_mont_output_param_t;

#endif
