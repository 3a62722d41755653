/*
 * The messages of <err.h>, under the name that libpfm4's programs ask for.
 */
#ifndef COUNTERPOINT_PERFMON_ERR_H
#define COUNTERPOINT_PERFMON_ERR_H

#include <err.h>

#endif
