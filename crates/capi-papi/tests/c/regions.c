/* Regions within a region, with a read in between; with an argument, in a child of the program, too. */
#include <papi.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	volatile double sum = 0;
	int wrong = argc > 1 && fork() < 0;

	(void)argv;
	wrong |= PAPI_hl_region_begin("outer");

	for (int turn = 0; turn < 2; turn++) {
		wrong |= PAPI_hl_region_begin("inner");
		for (int term = 1; term < 100000; term++)
			sum += 1.0 / term;
		wrong |= PAPI_hl_read("inner");
		wrong |= PAPI_hl_region_end("inner");
	}
	wrong |= PAPI_hl_region_end("outer");
	wrong |= PAPI_hl_region_end("outer") != PAPI_EINVAL;
	return wrong | PAPI_hl_stop();
}
