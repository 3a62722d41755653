! The marker functions of likwid over the module counterpoint, for programs that have them already.
! The environment variables and the file are those of likwid-marker.h.
module likwid
  use counterpoint
  implicit none
  private
  public :: likwid_markerInit, likwid_markerThreadInit, likwid_markerNextGroup, likwid_markerClose
  public :: likwid_markerRegisterRegion, likwid_markerStartRegion, likwid_markerStopRegion
  public :: likwid_markerGetRegion

  ! One for all files of the program, also for those in C.
  type(c_ptr), bind(c, name='counterpoint_likwid_regions') :: regions = c_null_ptr

contains

  subroutine likwid_markerInit()
    if (.not. c_associated(regions)) then
      call check(counterpoint_regions_open(regions, c_null_ptr, c_null_ptr))
    end if
  end subroutine likwid_markerInit

  subroutine likwid_markerClose()
    interface
      integer(c_int) function process_id() bind(c, name='getpid')
        import :: c_int
      end function process_id

      integer(c_int) function host_name(name, size) bind(c, name='gethostname')
        import :: c_int, c_char, c_size_t
        character(kind=c_char), intent(out) :: name(*)
        integer(c_size_t), value :: size
      end function host_name
    end interface
    character(len=4096) :: path
    character(kind=c_char) :: host(256)
    integer :: length

    if (.not. c_associated(regions)) return
    call get_environment_variable('LIKWID_FILEPATH', path)
    if (len_trim(path) == 0) then
      host = c_null_char
      if (host_name(host, 255_c_size_t) /= 0) host = c_null_char
      length = findloc(host, c_null_char, dim=1) - 1
      write (path, '(3a, i0, a)') 'counterpoint.', transfer(host(:length), repeat(' ', length)), '.', &
        process_id(), '.jsonl'
    end if
    call check(counterpoint_regions_write(regions, trim(path)//c_null_char))
    call check(counterpoint_regions_close(regions))
    regions = c_null_ptr
  end subroutine likwid_markerClose

  subroutine likwid_markerStartRegion(tag)
    character(len=*), intent(in) :: tag
    if (c_associated(regions)) call check(counterpoint_region_begin(regions, trim(tag)//c_null_char))
  end subroutine likwid_markerStartRegion

  subroutine likwid_markerStopRegion(tag)
    character(len=*), intent(in) :: tag
    if (c_associated(regions)) call check(counterpoint_region_end(regions, trim(tag)//c_null_char))
  end subroutine likwid_markerStopRegion

  ! A thread counts from its first region on, and needs no preparation; events that do not fit take turns.
  subroutine likwid_markerThreadInit()
  end subroutine likwid_markerThreadInit

  subroutine likwid_markerNextGroup()
  end subroutine likwid_markerNextGroup

  subroutine likwid_markerRegisterRegion(tag)
    character(len=*), intent(in) :: tag
    if (len(tag) == 0) return
  end subroutine likwid_markerRegisterRegion

  ! The values are in the report only: the program gets none.
  subroutine likwid_markerGetRegion(tag, nr_events, events, time, count)
    character(len=*), intent(in) :: tag
    integer, intent(inout) :: nr_events
    double precision, dimension(*), intent(inout) :: events
    double precision, intent(inout) :: time
    integer, intent(inout) :: count
    if (len(tag) == 0 .and. nr_events > 0) events(1) = 0
    nr_events = 0
    time = 0
    count = 0
  end subroutine likwid_markerGetRegion

  subroutine check(result)
    use, intrinsic :: iso_fortran_env, only: error_unit
    integer(c_int), intent(in) :: result
    if (result < 0) write (error_unit, '(2a)') 'counterpoint: ', counterpoint_text(counterpoint_error())
  end subroutine check
end module likwid
