/*
 * libpfm4's interface to perf_events: event strings to perf_event_attr.
 */
#ifndef COUNTERPOINT_PERFMON_PFMLIB_PERF_EVENT_H
#define COUNTERPOINT_PERFMON_PFMLIB_PERF_EVENT_H

#include <perfmon/perf_event.h>
#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of pfm_get_os_event_encoding for PFM_OS_PERF_EVENT and PFM_OS_PERF_EVENT_EXT. */
typedef struct {
	struct perf_event_attr *attr; /* its member size says how much may be written */
	char **fstr;                  /* NULL, or where the string is stored: free it */
	size_t size;
	int idx;
	int cpu;   /* -1 if the string names none */
	int flags; /* for perf_event_open */
	int pad0;
} pfm_perf_encode_arg_t;

#if __SIZEOF_POINTER__ == 8
#define PFM_PERF_ENCODE_ABI0 40
#else
#define PFM_PERF_ENCODE_ABI0 28
#endif

extern pfm_err_t pfm_get_perf_event_encoding(const char *str, int dfl_plm,
					     struct perf_event_attr *output, char **fstr, int *idx);

#ifdef __cplusplus
}
#endif

#endif
