/* likwid-marker.h: the marker macros and functions of likwid over counterpoint.h, for programs that have them already.
 *
 * Compile with -DLIKWID_PERFMON, as for likwid, and link with -lcounterpoint. The environment variable PAPI_EVENTS names
 * the events. LIKWID_MARKER_CLOSE writes the regions to the file that LIKWID_FILEPATH names, or else to
 * counterpoint.HOST.PID.jsonl; `counterpoint merge` reads it. */
#ifndef COUNTERPOINT_LIKWID_MARKER_H
#define COUNTERPOINT_LIKWID_MARKER_H

#ifdef LIKWID_PERFMON

#include <counterpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One for all files of the program, also for those in Fortran. */
__attribute__((weak)) struct counterpoint_regions *counterpoint_likwid_regions;

static __inline__ int counterpoint_likwid_checked(int result)
{
    if (result < 0)
        fprintf(stderr, "counterpoint: %s\n", counterpoint_error());
    return result;
}

static __inline__ void likwid_markerInit(void)
{
    if (!counterpoint_likwid_regions)
        counterpoint_likwid_checked(counterpoint_regions_open(&counterpoint_likwid_regions, NULL, NULL));
}

static __inline__ void likwid_markerWriteFile(const char *path)
{
    if (counterpoint_likwid_regions)
        counterpoint_likwid_checked(counterpoint_regions_write(counterpoint_likwid_regions, path));
}

static __inline__ void likwid_markerClose(void)
{
    const char *path = getenv("LIKWID_FILEPATH");
    struct utsname host;
    char own[sizeof host.nodename + 40];

    if (!counterpoint_likwid_regions)
        return;
    if (!path || !*path) {
        if (uname(&host) != 0)
            host.nodename[0] = '\0';
        snprintf(own, sizeof own, "counterpoint.%s.%ld.jsonl", host.nodename, (long)getpid());
        path = own;
    }
    likwid_markerWriteFile(path);
    counterpoint_regions_close(counterpoint_likwid_regions);
    counterpoint_likwid_regions = NULL;
}

static __inline__ int likwid_markerStartRegion(const char *tag)
{
    return counterpoint_likwid_regions
        ? counterpoint_likwid_checked(counterpoint_region_begin(counterpoint_likwid_regions, tag)) : -1;
}

static __inline__ int likwid_markerStopRegion(const char *tag)
{
    return counterpoint_likwid_regions
        ? counterpoint_likwid_checked(counterpoint_region_end(counterpoint_likwid_regions, tag)) : -1;
}

/* A thread counts from its first region on, and needs no preparation; events that do not fit take turns. */
static __inline__ void likwid_markerThreadInit(void) {}
static __inline__ void likwid_markerNextGroup(void) {}
static __inline__ int likwid_markerRegisterRegion(const char *tag) { (void)tag; return 0; }

/* A region cannot begin from zero again: its report has all its calls. */
static __inline__ int likwid_markerResetRegion(const char *tag) { (void)tag; return -1; }

/* The values are in the report only: the program gets none. */
static __inline__ void likwid_markerGetRegion(const char *tag, int *nevents, double *events, double *time, int *count)
{
    (void)tag;
    (void)events;
    *nevents = 0;
    *time = 0;
    *count = 0;
}

#ifdef __cplusplus
}
#endif

#define LIKWID_MARKER_INIT likwid_markerInit()
#define LIKWID_MARKER_THREADINIT likwid_markerThreadInit()
#define LIKWID_MARKER_SWITCH likwid_markerNextGroup()
#define LIKWID_MARKER_REGISTER(tag) likwid_markerRegisterRegion(tag)
#define LIKWID_MARKER_START(tag) likwid_markerStartRegion(tag)
#define LIKWID_MARKER_STOP(tag) likwid_markerStopRegion(tag)
#define LIKWID_MARKER_CLOSE likwid_markerClose()
#define LIKWID_MARKER_GET(tag, nevents, events, time, count) \
    likwid_markerGetRegion(tag, nevents, events, time, count)
#define LIKWID_MARKER_RESET(tag) likwid_markerResetRegion(tag)
#define LIKWID_MARKER_WRITE_FILE(path) likwid_markerWriteFile(path)

#else

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_REGISTER(tag)
#define LIKWID_MARKER_START(tag)
#define LIKWID_MARKER_STOP(tag)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_GET(tag, nevents, events, time, count)
#define LIKWID_MARKER_RESET(tag)
#define LIKWID_MARKER_WRITE_FILE(path)

#endif

/* Those of GPUs, which are not counted. */
#define LIKWID_NVMARKER_INIT
#define LIKWID_NVMARKER_THREADINIT
#define LIKWID_NVMARKER_SWITCH
#define LIKWID_NVMARKER_REGISTER(tag)
#define LIKWID_NVMARKER_START(tag)
#define LIKWID_NVMARKER_STOP(tag)
#define LIKWID_NVMARKER_CLOSE
#define LIKWID_NVMARKER_GET(tag, ngpus, nevents, events, time, count)
#define LIKWID_NVMARKER_RESET(tag)
#define NVMON_MARKER_INIT
#define NVMON_MARKER_THREADINIT
#define NVMON_MARKER_SWITCH
#define NVMON_MARKER_REGISTER(tag)
#define NVMON_MARKER_START(tag)
#define NVMON_MARKER_STOP(tag)
#define NVMON_MARKER_CLOSE
#define ROCMON_MARKER_INIT
#define ROCMON_MARKER_THREADINIT
#define ROCMON_MARKER_SWITCH
#define ROCMON_MARKER_REGISTER(tag)
#define ROCMON_MARKER_START(tag)
#define ROCMON_MARKER_STOP(tag)
#define ROCMON_MARKER_CLOSE

#endif
