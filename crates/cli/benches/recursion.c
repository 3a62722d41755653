/* A recursion with frame pointers, as deep as the first argument says, for the seconds of the second: what recordings of call chains are made of. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

__attribute__((noinline)) static unsigned long add(unsigned long sum) {
    for (int i = 0; i < 2000; i++) sum = sum * 31 + i;
    return sum;
}

__attribute__((noinline)) static unsigned long mix(unsigned long sum) {
    for (int i = 0; i < 3000; i++) sum = sum * 33 ^ i;
    return sum;
}

__attribute__((noinline)) static unsigned long descend(int depth, double end) {
    unsigned long sum = 1;
    if (depth > 0) {
        sum = descend(depth - 1, end) + 1;
        sink = sum;
        return sum;
    }
    for (int turn = 0; now() < end; turn++) sum += turn & 1 ? add(sum) : mix(sum);
    return sum;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int depth = atoi(argv[1]);
    double end = now() + atof(argv[2]);
    /* Stacks of different depths follow each other. */
    while (now() < end) sink = descend(depth - rand() % (depth / 2 + 1), now() + 0.001);
    return 0;
}
