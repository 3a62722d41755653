/* A program with markers of likwid, as they are written for likwid. */
#include <likwid-marker.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *work(void *none)
{
    LIKWID_MARKER_THREADINIT;
    LIKWID_MARKER_START("solve");
    {
        char *pages = (char *)malloc(1 << 22);
        memset(pages, 1, 1 << 22);
        __asm__ volatile("" : : "r"(pages) : "memory");
        free(pages);
    }
    LIKWID_MARKER_STOP("solve");
    return none;
}
int main(void)
{
    pthread_t thread;
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_REGISTER("solve");
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    LIKWID_MARKER_CLOSE;
    return 0;
}
