/*
 * Counts a loop with PAPI's functions.
 *
 *   cargo xtask capi --install DIR
 *   cc papi_counts.c -IDIR/include -LDIR/lib -lpapi -o papi_counts
 *   LD_LIBRARY_PATH=DIR/lib ./papi_counts perf::TASK-CLOCK perf::PAGE-FAULTS
 */
#include <papi.h>

#include <stdio.h>
#include <stdlib.h>

static void
check(int result, const char *what)
{
	if (result == PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(result));
	exit(1);
}

int
main(int count, char **events)
{
	long long values[16];
	volatile double sum = 0;
	int set = PAPI_NULL;

	if (count < 2 || count > 17) {
		fprintf(stderr, "usage: papi_counts EVENT... (at most 16)\n");
		return 2;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		fprintf(stderr, "the library is of another version\n");
		return 1;
	}
	check(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int number = 1; number < count; number++)
		check(PAPI_add_named_event(set, events[number]), events[number]);

	check(PAPI_start(set), "PAPI_start");
	for (int term = 1; term < 10000000; term++)
		sum += 1.0 / term;
	check(PAPI_stop(set, values), "PAPI_stop");

	for (int number = 1; number < count; number++)
		printf("%20lld %s\n", values[number - 1], events[number]);
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
	PAPI_shutdown();
	return 0;
}
