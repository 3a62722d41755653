/*
 * The kernel's own header, and the system call, which the C library does not offer.
 *
 * Programs find here, as in libpfm4's header, what they need to use an event: ioctl, prctl, and the formats of inttypes.h.
 */
#ifndef COUNTERPOINT_PERFMON_PERF_EVENT_H
#define COUNTERPOINT_PERFMON_PERF_EVENT_H

#include <inttypes.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef __cplusplus
/* <unistd.h> hides it from programs of strict ISO C. */
extern long syscall(long number, ...);
#endif

static inline int
perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

#endif
