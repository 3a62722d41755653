/*
 * Dispatches the events that are given, with the sequence of the manual's example. The assertions hold the structures to
 * the sizes of libpfm 3.10 on 64 bits.
 */
#include <perfmon/pfmlib_amd64.h>
#include <perfmon/pfmlib_cell.h>
#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_coreduo.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_i386_p6.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>
#include <perfmon/pfmlib_itanium.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>

#include <stdio.h>
#include <string.h>

#if UINTPTR_MAX > 0xffffffff
_Static_assert(sizeof(pfmlib_event_t) == 232, "pfmlib_event_t");
_Static_assert(sizeof(pfmlib_reg_t) == 32, "pfmlib_reg_t");
_Static_assert(sizeof(pfmlib_input_param_t) == 118912, "pfmlib_input_param_t");
_Static_assert(sizeof(pfmlib_output_param_t) == 32832, "pfmlib_output_param_t");
_Static_assert(sizeof(pfmlib_gen_ia32_input_param_t) == 8224, "gen_ia32");
_Static_assert(sizeof(pfmlib_i386_p6_input_param_t) == 48, "i386_p6");
_Static_assert(sizeof(pfmlib_coreduo_input_param_t) == 64, "coreduo");
_Static_assert(sizeof(pfmlib_core_input_param_t) == 120, "core");
_Static_assert(sizeof(pfmlib_intel_atom_input_param_t) == 120, "intel_atom");
_Static_assert(sizeof(pfmlib_nhm_input_param_t) == 312, "intel_nhm");
_Static_assert(sizeof(pfmlib_amd64_input_param_t) == 64, "amd64");
_Static_assert(sizeof(pfmlib_cell_input_param_t) == 240, "cell");
#endif

int main(int argc, char **argv)
{
	static pfmlib_input_param_t inp;
	static pfmlib_output_param_t outp;
	char name[256];
	int ret = pfm_initialize();

	if (ret != PFMLIB_SUCCESS || pfm_get_pmu_name(name, sizeof(name)) != PFMLIB_SUCCESS) {
		fprintf(stderr, "%s\n", pfm_strerror(ret));
		return 1;
	}
	printf("%s\n", name);
	inp.pfp_dfl_plm = PFM_PLM3;
	if (argc == 1) {
		pfm_get_cycle_event(&inp.pfp_events[0]);
		inp.pfp_event_count = 1;
	}
	for (int i = 1; i < argc; i++) {
		ret = pfm_find_full_event(argv[i], &inp.pfp_events[inp.pfp_event_count++]);
		if (ret != PFMLIB_SUCCESS) {
			fprintf(stderr, "%s: %s\n", argv[i], pfm_strerror(ret));
			return 1;
		}
	}
	ret = pfm_dispatch_events(&inp, NULL, &outp, NULL);
	if (ret != PFMLIB_SUCCESS) {
		fprintf(stderr, "%s\n", pfm_strerror(ret));
		return 1;
	}
	for (unsigned int i = 0; i < inp.pfp_event_count; i++) {
		pfm_get_full_event_name(&inp.pfp_events[i], name, sizeof(name));
		printf("%s: PMD%u\n", name, outp.pfp_pmds[i].reg_num);
	}
	for (unsigned int i = 0; i < outp.pfp_pmc_count; i++)
		printf("PMC%u = %#llx at %#llx\n", outp.pfp_pmcs[i].reg_num, outp.pfp_pmcs[i].reg_value,
		       outp.pfp_pmcs[i].reg_addr);
	return 0;
}
