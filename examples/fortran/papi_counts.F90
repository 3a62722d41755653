! Counts a loop with PAPI's functions for Fortran.
!
!   cargo xtask capi --install DIR
!   gfortran papi_counts.F90 -IDIR/include -LDIR/lib -lpapi -o papi_counts
!   LD_LIBRARY_PATH=DIR/lib ./papi_counts
program papi_counts
  implicit none
#include "f90papi.h"
  character(len=32), parameter :: events(2) = [character(len=32) :: "perf::TASK-CLOCK", "perf::PAGE-FAULTS"]
  integer(kind=8) :: values(2)
  integer :: set, check, number, term
  real(kind=8) :: total

  check = PAPI_VER_CURRENT
  call papif_library_init(check)
  if (check /= PAPI_VER_CURRENT) stop "the library is of another version"
  set = PAPI_NULL
  call papif_create_eventset(set, check)
  call expect("papif_create_eventset", check)
  do number = 1, size(events)
    call papif_add_named_event(set, events(number), check)
    call expect(events(number), check)
  end do

  call papif_start(set, check)
  call expect("papif_start", check)
  total = 0
  do term = 1, 10000000
    total = total + 1d0 / term
  end do
  call papif_stop(set, values, check)
  call expect("papif_stop", check)

  do number = 1, size(events)
    print "(i20, 1x, a)", values(number), trim(events(number))
  end do
  if (total < 1) print *, total
  call papif_cleanup_eventset(set, check)
  call papif_destroy_eventset(set, check)
  call papif_shutdown()

contains

  subroutine expect(what, result)
    character(len=*), intent(in) :: what
    integer, intent(in) :: result

    if (result == PAPI_OK) return
    call papif_perror(what)
    stop 1
  end subroutine expect
end program papi_counts
