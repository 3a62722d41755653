/* likwid.h: the part of likwid's header that programs with markers need. */
#include <likwid-marker.h>
