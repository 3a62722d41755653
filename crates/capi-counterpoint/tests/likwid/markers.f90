! A program with markers of likwid, as they are written for likwid.
program markers
  use likwid
  implicit none
  real, allocatable :: a(:)
  call likwid_markerInit()
  call likwid_markerThreadInit()
  call likwid_markerRegisterRegion("solve")
  call likwid_markerStartRegion("solve")
  allocate(a(1000000))
  a = 1.0
  print *, sum(a)
  call likwid_markerStopRegion("solve")
  call likwid_markerClose()
end program markers
