! Counts a part of a program.
!
!     gfortran counterpoint.f90 count.f90 -lcounterpoint -o count
program count
  use counterpoint
  implicit none

  integer, parameter :: most = 64
  type(c_ptr) :: set
  type(counterpoint_value) :: values(most)
  integer(c_int) :: number
  integer :: i
  real, allocatable :: numbers(:)

  call check(counterpoint_open(set, 'task-clock,page-faults,cycles'//c_null_char, c_null_ptr))
  call check(counterpoint_start(set))
  allocate (numbers(1000000))
  call random_number(numbers)
  call check(counterpoint_stop(set))

  number = counterpoint_read(set, values, int(most, c_size_t), c_sizeof(values(1)))
  call check(number)
  do i = 1, min(number, most)
    if (values(i)%status == counterpoint_counted) then
      print '(a, 1x, f0.0, 1x, a)', counterpoint_text(values(i)%name), values(i)%value, &
        counterpoint_text(values(i)%unit)
    else if (values(i)%status == counterpoint_estimated) then
      print '(a, 1x, a, f0.0, a, f0.2)', counterpoint_text(values(i)%name), 'about ', &
        values(i)%value, ', coverage ', values(i)%coverage
    else
      print '(a)', counterpoint_text(values(i)%name)//': '//counterpoint_text(values(i)%reason)
    end if
  end do
  call check(counterpoint_close(set))
  if (sum(numbers) < 0) stop 1

contains

  subroutine check(result)
    integer(c_int), intent(in) :: result
    if (result < 0) then
      print '(a)', counterpoint_text(counterpoint_error())
      stop 1
    end if
  end subroutine check
end program count
