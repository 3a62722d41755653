/* Counts a part of a program, and writes a report of its regions, and a trace of them for ui.perfetto.dev.
 *
 *     cc count.c $(pkg-config --cflags --libs counterpoint) -o count
 *     ./count task-clock,page-faults report.jsonl trace.json
 */
#include <counterpoint.h>
#include <stdio.h>
#include <stdlib.h>

static void failed(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, counterpoint_error());
    exit(1);
}

static double work(void)
{
    enum { SIZE = 1 << 20 };
    double sum = 0, *numbers = malloc(SIZE * sizeof *numbers);
    if (numbers == NULL)
        exit(1);
    for (int i = 0; i < SIZE; i++)
        numbers[i] = i;
    for (int i = 0; i < SIZE; i++)
        sum += numbers[i];
    free(numbers);
    return sum;
}

int main(int argc, char **argv)
{
    const char *events = argc > 1 ? argv[1] : "task-clock,page-faults,cycles";
    counterpoint_set *set;
    counterpoint_value values[64];

    if (counterpoint_open(&set, events, NULL) < 0)
        failed(events);
    if (counterpoint_start(set) < 0)
        failed("start");
    double sum = work();
    if (counterpoint_stop(set) < 0)
        failed("stop");

    int count = counterpoint_read(set, values, 64, sizeof values[0]);
    if (count < 0)
        failed("read");
    for (int i = 0; i < count && i < 64; i++) {
        const counterpoint_value *value = &values[i];
        switch (value->status) {
        case COUNTERPOINT_COUNTED:
            printf("%s %.0f %s\n", value->name, value->value, value->unit);
            break;
        case COUNTERPOINT_ESTIMATED:
            printf("%s about %.0f %s, counted for %.0f%% of the time\n", value->name,
                   value->value, value->unit, 100 * value->coverage);
            break;
        default:
            printf("%s: %s\n", value->name, value->reason);
        }
    }
    counterpoint_close(set);

    if (argc > 2) {
        counterpoint_regions *regions;
        /* The times of the first 1000 visits of each thread, for the trace. */
        counterpoint_options options = {.size = sizeof options, .timeline = 1000};
        if (counterpoint_regions_open(&regions, NULL, &options) < 0)
            failed("regions");
        for (int i = 0; i < 3; i++) {
            counterpoint_region_begin(regions, "work");
            sum += work();
            counterpoint_region_end(regions, "work");
        }
        if (counterpoint_regions_write(regions, argv[2]) < 0)
            failed("write");
        if (argc > 3 && counterpoint_regions_trace(regions, argv[3]) < 0)
            failed("trace");
        counterpoint_regions_close(regions);
    }
    return sum < 0;
}
