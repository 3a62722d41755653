/*
 * Calls most functions and prints what they return: the same over this library and over PAPI. It compiles with either
 * header.
 */
#include <papi.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAY(call) printf("%s: %s\n", #call, name(call))

static const char *
name(int result)
{
	static const char *names[] = { "OK", "EINVAL", "ENOMEM", "ESYS", "ECMP", "ECLOST", "EBUG", "ENOEVNT",
		"ECNFLCT", "ENOTRUN", "EISRUN", "ENOEVST", "ENOTPRESET", "ENOCNTR", "EMISC", "EPERM", "ENOINIT",
		"ENOCMP", "ENOSUPP", "ENOIMPL", "EBUF", "EINVAL_DOM", "EATTR", "ECOUNT", "ECOMBO", "ECMP_DISABLED" };
	static char number[16];

	if (result <= 0 && result > -26)
		return names[-result];
	snprintf(number, sizeof(number), "%#x", result);
	return number;
}

/* The nanoseconds for which this thread ran. */
static long long
used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Runs for some milliseconds of CPU time, and touches pages. */
static void
work(int milliseconds)
{
	long long end = used() + milliseconds * 1000000LL;
	volatile char *pages = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int page = 0; page < 64; page++)
		pages[page * 4096] = 1;
	while (used() < end)
		for (volatile int turn = 0; turn < 10000; turn++)
			;
	munmap((void *)pages, 64 * 4096);
}

static int clock_event, faults, loads;
static long long values[8];

static void
states(void)
{
	int set = PAPI_NULL, other = PAPI_NULL, wrong = 5, state, codes[8] = { 0 }, count = 8;

	puts("- states");
	SAY(PAPI_create_eventset(&wrong));
	SAY(PAPI_create_eventset(&set));
	SAY(PAPI_create_eventset(&other));
	printf("%d %d\n", set, other);
	SAY(PAPI_start(set));
	SAY(PAPI_stop(set, NULL));
	SAY(PAPI_read(set, values));
	SAY(PAPI_accum(set, values));
	SAY(PAPI_reset(set));
	SAY(PAPI_attach(set, getpid()));
	SAY(PAPI_set_multiplex(set));
	SAY(PAPI_get_eventset_component(set));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_state(set, NULL));
	SAY(PAPI_state(99, &state));
	SAY(PAPI_num_events(99));
	SAY(PAPI_add_event(set, 5));
	SAY(PAPI_add_event(set, PAPI_NATIVE_MASK | 0xffffff));
	SAY(PAPI_add_event(set, PAPI_L1_DCM));
	SAY(PAPI_add_event(set, PAPI_PRESET_MASK | 200));
	SAY(PAPI_add_event(99, clock_event));
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_remove_event(set, faults));
	SAY(PAPI_add_event(set, faults));
	SAY(PAPI_num_events(set));
	SAY(PAPI_list_events(set, codes, &count));
	printf("%d %d %d\n", count, codes[0] == clock_event, codes[1] == faults);
	count = 1;
	SAY(PAPI_list_events(set, codes, &count));
	printf("%d\n", count);
	count = 0;
	SAY(PAPI_list_events(set, NULL, &count));
	printf("%d\n", count);
	SAY(PAPI_add_events(set, (int[]){ loads, 5, faults }, 3));
	SAY(PAPI_num_events(set));
	SAY(PAPI_add_events(set, NULL, 1));
	SAY(PAPI_remove_events(set, (int[]){ loads, 5 }, 2));
	SAY(PAPI_stop(set, values));
	SAY(PAPI_read(set, NULL));
	SAY(PAPI_start(set));
	SAY(PAPI_start(set));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_add_event(other, clock_event));
	SAY(PAPI_start(other));
	SAY(PAPI_add_event(set, loads));
	SAY(PAPI_remove_event(set, faults));
	SAY(PAPI_cleanup_eventset(set));
	SAY(PAPI_destroy_eventset(&set));
	SAY(PAPI_set_multiplex(set));
	SAY(PAPI_assign_eventset_component(set, 0));
	SAY(PAPI_attach(set, getpid()));
	SAY(PAPI_detach(set));
	SAY(PAPI_overflow(set, clock_event, 1000000, 0, NULL));
	SAY(PAPI_write(set, values));
	SAY(PAPI_accum(set, NULL));
	SAY(PAPI_stop(set, NULL));
	SAY(PAPI_stop(set, NULL));
	SAY(PAPI_destroy_eventset(&set));
	SAY(PAPI_assign_eventset_component(set, 0));
	SAY(PAPI_assign_eventset_component(set, 77));
	SAY(PAPI_assign_eventset_component(99, 0));
	SAY(PAPI_cleanup_eventset(set));
	SAY(PAPI_cleanup_eventset(set));
	SAY(PAPI_get_eventset_component(set));
	SAY(PAPI_destroy_eventset(&set));
	printf("%d\n", set);
	SAY(PAPI_destroy_eventset(&set));
	SAY(PAPI_destroy_eventset(NULL));
	SAY(PAPI_create_eventset(&set));
	printf("%d\n", set);
	SAY(PAPI_add_named_event(set, "perf::TASK-CLOCK"));
	SAY(PAPI_add_named_event(set, NULL));
	SAY(PAPI_remove_named_event(set, "perf::TASK-CLOCK"));
	SAY(PAPI_num_events(set));
	SAY(PAPI_start(set));
	SAY(PAPI_cleanup_eventset(other));
	SAY(PAPI_destroy_eventset(&other));
	SAY(PAPI_destroy_eventset(&set));
}

static void
counts(void)
{
	long long before, sums[2] = { 0, 100 }, cycles;
	int set = PAPI_NULL;

	puts("- counts");
	PAPI_create_eventset(&set);
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_add_event(set, faults));
	SAY(PAPI_read(set, values));
	printf("%lld %lld\n", values[0], values[1]);
	SAY(PAPI_start(set));
	work(20);
	SAY(PAPI_read(set, values));
	printf("%d %d\n", values[0] > 10000000 && values[0] < 1000000000, values[1] >= 1 && values[1] < 1000);
	before = values[0];
	SAY(PAPI_read_ts(set, values, &cycles));
	printf("%d %d\n", values[0] > before, cycles > 0);
	SAY(PAPI_accum(set, sums));
	printf("%d %d\n", sums[0] > before, sums[1] > 100);
	SAY(PAPI_read(set, values));
	printf("%d\n", values[0] < before);
	SAY(PAPI_reset(set));
	SAY(PAPI_read(set, values));
	printf("%d\n", values[0] < before);
	SAY(PAPI_stop(set, values));
	before = values[0];
	work(5);
	SAY(PAPI_read(set, values));
	printf("%d\n", values[0] == before);
	SAY(PAPI_reset(set));
	SAY(PAPI_read(set, values));
	printf("%lld\n", values[0]);
	SAY(PAPI_start(set));
	SAY(PAPI_stop(set, NULL));
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static volatile int overflows, wrong_overflows;
static int overflow_set = PAPI_NULL;

static void
handler(int set, void *address, long long events, void *context)
{
	overflows++;
	wrong_overflows += set != overflow_set || events != 1 || address == NULL || context == NULL;
}

extern char __executable_start, etext;

static void
overflow(void)
{
	static unsigned short buckets[1 << 16];
	unsigned length = (unsigned)(&etext - &__executable_start);
	PAPI_sprofil_t regions[2] = { { buckets, sizeof(buckets), (vptr_t)&__executable_start, 65536 },
		{ buckets, sizeof(buckets), (vptr_t)&__executable_start, 65536 } };
	int set = PAPI_NULL, state, positions[4] = { -1, -1, -1, -1 }, count = 4;
	long sum = 0;

	puts("- overflow");
	PAPI_create_eventset(&set);
	overflow_set = set;
	PAPI_add_event(set, clock_event);
	PAPI_add_event(set, faults);
	SAY(PAPI_overflow(set, clock_event, 1000000, 0, NULL));
	SAY(PAPI_overflow(set, loads, 1000000, 0, handler));
	SAY(PAPI_overflow(set, clock_event, 0, 0, handler));
	SAY(PAPI_overflow(set, clock_event, 1000000, 0, handler));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_start(set));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	work(60);
	SAY(PAPI_stop(set, values));
	printf("%d %d\n", overflows >= 5 && overflows <= 200, wrong_overflows);
	SAY(PAPI_get_overflow_event_index(set, 1, positions, &count));
	printf("%d %d\n", count, positions[0]);
	count = 4;
	SAY(PAPI_get_overflow_event_index(set, 3, positions, &count));
	printf("%d %d %d\n", count, positions[0], positions[1]);
	SAY(PAPI_get_overflow_event_index(set, 0, positions, &count));
	SAY(PAPI_overflow(set, clock_event, 0, 0, handler));
	SAY(PAPI_overflow(set, clock_event, 0, 0, handler));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_profil(buckets, sizeof(buckets), (vptr_t)&__executable_start, 65536, set, clock_event, 1000000,
	    PAPI_PROFIL_POSIX));
	SAY(PAPI_start(set));
	work(60);
	SAY(PAPI_stop(set, values));
	for (unsigned bucket = 0; bucket < sizeof(buckets) / sizeof(buckets[0]); bucket++) {
		sum += buckets[bucket];
		if (buckets[bucket] > 0 && bucket > length)
			puts("a bucket outside the program");
	}
	printf("%d\n", sum >= 5 && sum <= 200);
	SAY(PAPI_profil(buckets, sizeof(buckets), (vptr_t)&__executable_start, 65536, set, clock_event, 0,
	    PAPI_PROFIL_POSIX));
	SAY(PAPI_sprofil(regions, 2, set, clock_event, 1000000, PAPI_PROFIL_POSIX));
	SAY(PAPI_sprofil(regions, 2, set, clock_event, 0, PAPI_PROFIL_POSIX));
	SAY(PAPI_cleanup_eventset(set));
	SAY(PAPI_destroy_eventset(&set));
}

static void
multiplex(void)
{
	int set = PAPI_NULL, state;

	puts("- multiplex");
	SAY(PAPI_multiplex_init());
	PAPI_create_eventset(&set);
	SAY(PAPI_get_multiplex(set));
	SAY(PAPI_assign_eventset_component(set, 0));
	SAY(PAPI_set_multiplex(set));
	SAY(PAPI_set_multiplex(set));
	SAY(PAPI_get_multiplex(set));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_add_event(set, faults));
	SAY(PAPI_start(set));
	work(20);
	SAY(PAPI_stop(set, values));
	printf("%d %d\n", values[0] > 10000000, values[1] >= 1);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static void
attach(void)
{
	int set = PAPI_NULL, state;
	pid_t child = fork();

	if (child == 0) {
		raise(SIGSTOP);
		work(30);
		_exit(0);
	}
	puts("- attach");
	waitpid(child, NULL, WUNTRACED);
	PAPI_create_eventset(&set);
	PAPI_assign_eventset_component(set, 0);
	SAY(PAPI_attach(set, child));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_start(set));
	kill(child, SIGCONT);
	waitpid(child, NULL, 0);
	SAY(PAPI_stop(set, values));
	printf("%d\n", values[0] > 10000000);
	SAY(PAPI_detach(set));
	SAY(PAPI_detach(set));
	SAY(PAPI_state(set, &state));
	printf("%#x\n", state);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static void *
thread(void *right)
{
	long long own[2];
	int set = PAPI_NULL;

	*(int *)right = PAPI_register_thread() == PAPI_OK && PAPI_create_eventset(&set) == PAPI_OK &&
	    PAPI_add_event(set, clock_event) == PAPI_OK && PAPI_add_event(set, faults) == PAPI_OK &&
	    PAPI_start(set) == PAPI_OK;
	work(2);
	*(int *)right &= PAPI_stop(set, own) == PAPI_OK && own[0] > 100000 && own[0] < 1000000000 &&
	    PAPI_cleanup_eventset(set) == PAPI_OK && PAPI_destroy_eventset(&set) == PAPI_OK &&
	    PAPI_unregister_thread() == PAPI_OK;
	return NULL;
}

static void
threads(void)
{
	pthread_t ids[64];
	int right[64], sum = 0;

	puts("- threads");
	SAY(PAPI_thread_init((unsigned long (*)(void))pthread_self));
	printf("%d\n", PAPI_thread_id() == (unsigned long)pthread_self());
	SAY(PAPI_is_initialized());
	for (int number = 0; number < 64; number++)
		pthread_create(&ids[number], NULL, thread, &right[number]);
	for (int number = 0; number < 64; number++) {
		pthread_join(ids[number], NULL);
		sum += right[number];
	}
	printf("%d\n", sum);
}

static void
options(void)
{
	PAPI_option_t option;
	int set = PAPI_NULL;

	puts("- options");
	for (int domain = 0; domain <= 4; domain++)
		SAY(PAPI_set_domain(domain));
	SAY(PAPI_set_domain(PAPI_DOM_ALL));
	SAY(PAPI_set_domain(PAPI_DOM_USER));
	SAY(PAPI_set_granularity(PAPI_GRN_THR));
	SAY(PAPI_set_granularity(PAPI_GRN_PROCG));
	SAY(PAPI_set_cmp_domain(PAPI_DOM_USER, 77));
	SAY(PAPI_set_debug(PAPI_QUIET));
	SAY(PAPI_set_debug(9));
	SAY(PAPI_get_opt(PAPI_DEFDOM, NULL));
	SAY(PAPI_get_opt(PAPI_MAX_MPX_CTRS, NULL));
	SAY(PAPI_get_opt(PAPI_LIB_VERSION, NULL));
	SAY(PAPI_get_opt(PAPI_DOMAIN, NULL));
	SAY(PAPI_set_opt(PAPI_DOMAIN, NULL));
	PAPI_create_eventset(&set);
	PAPI_assign_eventset_component(set, 0);
	option.domain.eventset = set;
	SAY(PAPI_get_opt(PAPI_DOMAIN, &option));
	printf("%d\n", option.domain.domain);
	option.domain.domain = PAPI_DOM_USER | PAPI_DOM_KERNEL;
	SAY(PAPI_set_opt(PAPI_DOMAIN, &option));
	SAY(PAPI_get_opt(PAPI_DOMAIN, &option));
	printf("%d\n", option.domain.domain);
	/* Not everybody may count the kernel. */
	option.domain.domain = PAPI_DOM_USER;
	SAY(PAPI_set_opt(PAPI_DOMAIN, &option));
	option.inherit.eventset = set;
	option.inherit.inherit = PAPI_INHERIT_ALL;
	SAY(PAPI_set_opt(PAPI_INHERIT, &option));
	SAY(PAPI_get_opt(PAPI_INHERIT, &option));
	printf("%d\n", option.inherit.inherit);
	SAY(PAPI_add_event(set, clock_event));
	SAY(PAPI_start(set));
	if (fork() == 0) {
		work(30);
		_exit(0);
	}
	wait(NULL);
	SAY(PAPI_stop(set, values));
	printf("%d\n", values[0] > 10000000);
	SAY(PAPI_get_opt(PAPI_PRELOAD, &option));
	printf("%s %s %c\n", option.preload.lib_preload_env, option.preload.lib_dir_env, option.preload.lib_dir_sep);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static void
names(void)
{
	char text[PAPI_MAX_STR_LEN];
	int code = PAPI_NATIVE_MASK, count = 0;

	puts("- names");
	SAY(PAPI_event_name_to_code("PAPI_TOT_CYC", &code));
	printf("%#x\n", code);
	SAY(PAPI_event_code_to_name(PAPI_TOT_CYC, text));
	puts(text);
	SAY(PAPI_event_code_to_name(clock_event, text));
	puts(text);
	SAY(PAPI_event_code_to_name(PAPI_NATIVE_MASK | 0xffffff, text));
	SAY(PAPI_event_name_to_code(NULL, &code));
	SAY(PAPI_query_event(clock_event));
	SAY(PAPI_query_event(PAPI_L1_DCM));
	SAY(PAPI_get_event_component(clock_event));
	code = PAPI_PRESET_MASK;
	for (int result = PAPI_enum_event(&code, PAPI_ENUM_FIRST); result == PAPI_OK;
	     result = PAPI_enum_event(&code, PAPI_ENUM_EVENTS))
		count++;
	printf("%d presets\n", count);
	code = PAPI_NATIVE_MASK;
	count = 0;
	for (int result = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, 0); result == PAPI_OK;
	     result = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, 0))
		count += PAPI_event_code_to_name(code, text) == PAPI_OK && strncmp(text, "perf::", 6) == 0;
	printf("%d events of the kernel\n", count);
	puts(PAPI_strerror(PAPI_EISRUN));
	SAY(PAPI_lock(PAPI_LOCK_USR1));
	SAY(PAPI_unlock(PAPI_LOCK_USR1));
}

int
main(void)
{
	SAY(PAPI_is_initialized());
	SAY(PAPI_create_eventset(&(int){ PAPI_NULL }));
	SAY(PAPI_library_init(PAPI_VERSION_NUMBER(6, 0, 0, 0)));
	SAY(PAPI_library_init(PAPI_VER_CURRENT));
	SAY(PAPI_is_initialized());
	if (PAPI_event_name_to_code("perf::TASK-CLOCK", &clock_event) != PAPI_OK) {
		puts("skipped: perf_event is disabled");
		return 0;
	}
	PAPI_event_name_to_code("perf::PAGE-FAULTS", &faults);
	PAPI_event_name_to_code("perf::MINOR-FAULTS", &loads);
	states();
	counts();
	overflow();
	multiplex();
	attach();
	threads();
	options();
	names();
	PAPI_shutdown();
	SAY(PAPI_is_initialized());
	SAY(PAPI_create_eventset(&(int){ PAPI_NULL }));
	return 0;
}
