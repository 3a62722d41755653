! Counts a part of a program, and writes a report of its regions, and a trace of them for ui.perfetto.dev.
!
!     gfortran counterpoint.f90 count.f90 -lcounterpoint -o count
!     ./count report.jsonl trace.json
program count
  use counterpoint
  implicit none

  integer, parameter :: most = 64
  type(c_ptr) :: set
  type(counterpoint_value) :: values(most)
  integer(c_int) :: number
  integer :: i
  real, allocatable :: numbers(:)
  character(len=4096) :: report, trace

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

  if (command_argument_count() == 2) then
    call get_command_argument(1, report)
    call get_command_argument(2, trace)
    call regions_of_work(trim(report), trim(trace))
  end if

contains

  ! Without a list of events, those of PAPI_EVENTS or usual ones are counted.
  subroutine regions_of_work(report, trace)
    character(len=*), intent(in) :: report, trace
    type(c_ptr) :: regions
    type(counterpoint_options), target :: options
    integer :: visit

    options%size = c_sizeof(options)
    ! The times of the first 1000 visits of each thread, for the trace.
    options%timeline = 1000
    call check(counterpoint_regions_open(regions, c_null_ptr, c_loc(options)))
    do visit = 1, 3
      call check(counterpoint_region_begin(regions, 'work'//c_null_char))
      call random_number(numbers)
      call check(counterpoint_region_end(regions, 'work'//c_null_char))
    end do
    call check(counterpoint_regions_write(regions, report//c_null_char))
    call check(counterpoint_regions_trace(regions, trace//c_null_char))
    call check(counterpoint_regions_close(regions))
  end subroutine regions_of_work

  subroutine check(result)
    integer(c_int), intent(in) :: result
    if (result < 0) then
      print '(a)', counterpoint_text(counterpoint_error())
      stop 1
    end if
  end subroutine check
end program count
