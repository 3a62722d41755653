/* Ranks and OpenMP threads whose counts are known: a rank takes 300 page faults for its number, and its threads 30, 60, 90
 * and so on. One rank works twice as long as the others, and one thread of it is alone in that in another region.
 *
 * usage: teams REPORT SLOW_RANK SLOW_THREAD. Built with -DWITH_MPI, it is a program of MPI; without it, a launcher's
 * variable says the rank. */
#define _GNU_SOURCE
#include <counterpoint.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static counterpoint_regions *regions;

static void checked(int result)
{
    if (result < 0) {
        fprintf(stderr, "teams: %s\n", counterpoint_error());
        exit(1);
    }
}

/* Has the kernel give this thread so many pages: a fault each, as the memory is too small for huge ones. */
static void touch(int pages)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    for (; pages > 0; pages -= 100) {
        size_t count = pages < 100 ? (size_t)pages : 100;
        char *memory = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || madvise(memory, count * size, MADV_NOHUGEPAGE) != 0)
            exit(2);
        for (size_t page = 0; page < count; page++)
            ((volatile char *)memory)[page * size] = 1;
        munmap(memory, count * size);
    }
}

/* Runs for so many milliseconds of this thread's CPU time. */
static void work(double ms)
{
    struct timespec now;
    double end = -1, at;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        at = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
        if (end < 0)
            end = at + ms;
    } while (at < end);
}

/* Each thread of a team takes so many page faults more than the one before it. */
static void team(const char *name, int pages)
{
    #pragma omp parallel
    {
        checked(counterpoint_region_begin(regions, name));
        touch(pages * (omp_get_thread_num() + 1));
        checked(counterpoint_region_end(regions, name));
    }
}

int main(int argc, char **argv)
{
    const char *told = getenv("OMPI_COMM_WORLD_RANK");
    int rank = told ? atoi(told) : 0;
    if (argc != 4)
        return 3;
    int slow_rank = atoi(argv[2]), slow_thread = atoi(argv[3]);
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    checked(counterpoint_regions_open(&regions, "page-faults,task-clock", NULL));
    /* What is touched at its first use. */
    team("first", 1);

    checked(counterpoint_region_begin(regions, "rank"));
    touch(300 * rank);
    checked(counterpoint_region_end(regions, "rank"));

    team("team", 10);
    /* A smaller team ends threads, whose numbers others have afterwards; inner teams have numbers of their own. */
    omp_set_max_active_levels(2);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp parallel num_threads(2)
        {
            checked(counterpoint_region_begin(regions, "inner"));
            checked(counterpoint_region_end(regions, "inner"));
        }
    }
    team("first", 1);
    team("team", 20);

    #pragma omp parallel
    {
        checked(counterpoint_region_begin(regions, "all work"));
        work(rank == slow_rank ? 100 : 50);
        checked(counterpoint_region_end(regions, "all work"));
        checked(counterpoint_region_begin(regions, "one works"));
        work(rank == slow_rank && omp_get_thread_num() == slow_thread ? 100 : 50);
        checked(counterpoint_region_end(regions, "one works"));
    }
    checked(counterpoint_regions_write(regions, argv[1]));
    checked(counterpoint_regions_close(regions));
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
