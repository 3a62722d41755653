/*
 * How long the first call of a process takes, and one of many: `cargo xtask conformance capi` runs it with both libraries.
 * Prints nanoseconds: pfm_initialize and the first call, then the fastest of ten rounds.
 */
#include <perfmon/pfmlib_perf_event.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static int
encode(const char *event, int wants_string)
{
	static struct { unsigned int type, size; char rest[120]; } attr;
	pfm_perf_encode_arg_t args = { .attr = (void *)&attr, .size = sizeof(args) };
	char *string = NULL;

	attr.size = sizeof(attr);
	if (wants_string)
		args.fstr = &string;
	int result = pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &args);
	free(string);
	return result;
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	int wants_string = atoi(argv[2]), calls = 20000;
	/* As in a program that has done something before: memory is there, and the clock has been read. */
	void *volatile memory = malloc(100000);
	if (!memory)
		return 1;
	memset(memory, 1, 100000);
	free(memory);
	now();
	double start = now(), best = 0;

	if (pfm_initialize() != PFM_SUCCESS || encode(argv[1], wants_string) != PFM_SUCCESS)
		return 1;
	double first = now() - start;
	for (int round = 0; round < 10; round++) {
		start = now();
		for (int i = 0; i < calls; i++)
			encode(argv[1], wants_string);
		double each = (now() - start) / calls;
		if (round == 0 || each < best)
			best = each;
	}
	printf("%.0f %.0f\n", first, best);
	return 0;
}
