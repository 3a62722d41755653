/* Regions of PAPI's high-level functions, in two threads and a child. */
#include <papi.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void touch(void)
{
    volatile char *pages = malloc(64 << 20);
    for (int i = 0; i < 4 << 20; i += 4096)
        pages[i] = 1;
    free((void *)pages);
}

static void *solve(void *result)
{
    int *failed = result;
    for (int i = 0; i < 3; i++) {
        *failed |= PAPI_hl_region_begin("solve");
        touch();
        *failed |= PAPI_hl_read("solve");
        *failed |= PAPI_hl_region_end("solve");
    }
    return NULL;
}

int main(void)
{
    int failed[2] = { 0, 0 };
    pthread_t thread;

    pthread_create(&thread, NULL, solve, &failed[0]);
    solve(&failed[1]);
    pthread_join(thread, NULL);
    if (failed[0] || failed[1])
        return 1;
    if (PAPI_hl_region_end("never") != PAPI_EINVAL || PAPI_hl_region_begin(NULL) != PAPI_EINVAL)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        PAPI_hl_region_begin("child");
        touch();
        PAPI_hl_region_end("child");
        exit(0);
    }
    waitpid(child, NULL, 0);
    return PAPI_hl_stop();
}
