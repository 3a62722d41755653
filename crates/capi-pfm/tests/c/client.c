/*
 * Lists what is active, and encodes the events that are given. `cargo xtask conformance capi` compiles it with our
 * headers, and runs it with both libraries.
 */
#include <perfmon/pfmlib_perf_event.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(pfm_pmu_info_t) == PFM_PMU_INFO_ABI0, "pfm_pmu_info_t");
_Static_assert(sizeof(pfm_event_info_t) == PFM_EVENT_INFO_ABI0, "pfm_event_info_t");
_Static_assert(sizeof(pfm_event_attr_info_t) == PFM_ATTR_INFO_ABI0, "pfm_event_attr_info_t");
_Static_assert(sizeof(pfm_pmu_encode_arg_t) == PFM_RAW_ENCODE_ABI0, "pfm_pmu_encode_arg_t");
_Static_assert(sizeof(pfm_perf_encode_arg_t) == PFM_PERF_ENCODE_ABI0, "pfm_perf_encode_arg_t");

static int
list(pfm_pmu_t number)
{
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	int events = 0, attributes = 0;

	if (pfm_get_pmu_info(number, &pmu) != PFM_SUCCESS || !pmu.is_present)
		return 0;
	for (int index = pmu.first_event; index != -1; index = pfm_get_event_next(index)) {
		pfm_event_info_t event = { .size = sizeof(event) };
		int number;

		if (pfm_get_event_info(index, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
			return 1;
		events++;
		pfm_for_each_event_attr(number, &event) {
			pfm_event_attr_info_t attr = { .size = sizeof(attr) };

			if (pfm_get_event_attr_info(index, number, PFM_OS_PERF_EVENT, &attr) != PFM_SUCCESS)
				return 1;
			if (attr.idx != number)
				return 1;
			attributes++;
		}
	}
	printf("%s: %d events, %d attributes\n", pmu.name, events, attributes);
	return events != pmu.nevents;
}

static void
encode(const char *string)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t args = { .attr = &attr, .size = sizeof(args) };
	char *fstr = NULL;
	int result;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	args.fstr = &fstr;
	result = pfm_get_os_event_encoding(string, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &args);
	if (result == PFM_SUCCESS)
		printf("%s = %s: type %u config %#llx\n", string, fstr, attr.type,
		       (unsigned long long)attr.config);
	else
		printf("%s: %s\n", string, pfm_strerror(result));
	free(fstr);
}

int
main(int argc, char **argv)
{
	int number, failed = pfm_initialize() != PFM_SUCCESS;

	pfm_for_all_pmus(number)
		failed |= list((pfm_pmu_t)number);
	for (int i = 1; i < argc; i++)
		encode(argv[i]);
	pfm_terminate();
	return failed;
}
