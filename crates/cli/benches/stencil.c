/* A stencil over a grid, whose rows are shared by the threads of OpenMP, in a region of PAPI's high-level functions for each
 * sweep of each thread; without -DWITH_REGIONS, the same without regions. */
#include <stdlib.h>
#ifdef WITH_REGIONS
#include <papi.h>
#define BEGIN PAPI_hl_region_begin("sweep")
#define END PAPI_hl_region_end("sweep")
#else
#define BEGIN 0
#define END 0
#endif

enum { SIZE = 512, SWEEPS = 3000 };
static double grids[2][SIZE][SIZE];

int main(void)
{
    int failed = 0;
    grids[0][SIZE / 2][SIZE / 2] = 1e6;
    #pragma omp parallel reduction(+ : failed)
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double (*from)[SIZE] = grids[sweep % 2], (*to)[SIZE] = grids[(sweep + 1) % 2];
        failed += BEGIN;
        #pragma omp for nowait
        for (int y = 1; y < SIZE - 1; y++)
            for (int x = 1; x < SIZE - 1; x++)
                to[y][x] = 0.5 * from[y][x] + 0.125 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
        failed += END;
        #pragma omp barrier
    }
    /* An even number of sweeps: the first grid has the result. */
    return failed != 0 || !(grids[0][SIZE / 2][SIZE / 2] > 0);
}
