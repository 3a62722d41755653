! counterpoint.h for Fortran 2003 and later: the same functions, structures and numbers.
! A name that is passed needs c_null_char at its end: 'task-clock'//c_null_char.
module counterpoint
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: counterpoint_ok = 0
  integer(c_int), parameter :: counterpoint_error_argument = -1
  integer(c_int), parameter :: counterpoint_error_handle = -2
  integer(c_int), parameter :: counterpoint_error_busy = -3
  integer(c_int), parameter :: counterpoint_error_name = -4
  integer(c_int), parameter :: counterpoint_error_permission = -5
  integer(c_int), parameter :: counterpoint_error_unsupported = -6
  integer(c_int), parameter :: counterpoint_error_limit = -7
  integer(c_int), parameter :: counterpoint_error_forked = -8
  integer(c_int), parameter :: counterpoint_error_region = -9
  integer(c_int), parameter :: counterpoint_error_file = -10
  integer(c_int), parameter :: counterpoint_error_request = -11
  integer(c_int), parameter :: counterpoint_error_internal = -12

  integer(c_int32_t), parameter :: counterpoint_target_self = 0
  integer(c_int32_t), parameter :: counterpoint_target_thread = 1
  integer(c_int32_t), parameter :: counterpoint_target_process = 2
  integer(c_int32_t), parameter :: counterpoint_target_cpu = 3
  integer(c_int32_t), parameter :: counterpoint_target_all_cpus = 4

  integer(c_int32_t), parameter :: counterpoint_no_inherit = 1
  integer(c_int32_t), parameter :: counterpoint_user_only = 2
  integer(c_int32_t), parameter :: counterpoint_no_estimates = 4

  integer(c_int32_t), parameter :: counterpoint_counted = 1
  integer(c_int32_t), parameter :: counterpoint_estimated = 2
  integer(c_int32_t), parameter :: counterpoint_not_counted = 3
  integer(c_int32_t), parameter :: counterpoint_not_supported = 4

  ! COUNTERPOINT_NO_RAW, of which all bits are set.
  integer(c_int64_t), parameter :: counterpoint_no_raw = -1

  type, bind(c) :: counterpoint_options
    integer(c_size_t) :: size = 0
    type(c_ptr) :: metrics = c_null_ptr
    type(c_ptr) :: definitions = c_null_ptr
    integer(c_int32_t) :: target = counterpoint_target_self
    integer(c_int32_t) :: id = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: timeline = 0
  end type counterpoint_options

  type, bind(c) :: counterpoint_value
    type(c_ptr) :: name
    type(c_ptr) :: unit
    type(c_ptr) :: reason
    type(c_ptr) :: note
    real(c_double) :: value
    real(c_double) :: coverage
    integer(c_int64_t) :: raw
    integer(c_int64_t) :: enabled_ns
    integer(c_int64_t) :: running_ns
    real(c_double) :: least
    real(c_double) :: greatest
    integer(c_int32_t) :: status
    integer(c_int32_t) :: reserved
  end type counterpoint_value

  interface
    function counterpoint_version() bind(c)
      import :: c_ptr
      type(c_ptr) :: counterpoint_version
    end function counterpoint_version

    function counterpoint_error() bind(c)
      import :: c_ptr
      type(c_ptr) :: counterpoint_error
    end function counterpoint_error

    ! options is c_null_ptr, or c_loc of a counterpoint_options.
    integer(c_int) function counterpoint_open(set, events, options) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), intent(out) :: set
      character(kind=c_char), intent(in) :: events(*)
      type(c_ptr), value :: options
    end function counterpoint_open

    integer(c_int) function counterpoint_close(set) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: set
    end function counterpoint_close

    integer(c_int) function counterpoint_count(set) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: set
    end function counterpoint_count

    integer(c_int) function counterpoint_start(set) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: set
    end function counterpoint_start

    integer(c_int) function counterpoint_stop(set) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: set
    end function counterpoint_stop

    integer(c_int) function counterpoint_reset(set) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: set
    end function counterpoint_reset

    integer(c_int) function counterpoint_read(set, values, count, size) bind(c)
      import :: c_int, c_ptr, c_size_t, counterpoint_value
      type(c_ptr), value :: set
      type(counterpoint_value), intent(out) :: values(*)
      integer(c_size_t), value :: count
      integer(c_size_t), value :: size
    end function counterpoint_read

    integer(c_int) function counterpoint_regions_open(regions, events, options) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: regions
      type(c_ptr), value :: events
      type(c_ptr), value :: options
    end function counterpoint_regions_open

    integer(c_int) function counterpoint_regions_close(regions) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: regions
    end function counterpoint_regions_close

    integer(c_int) function counterpoint_region_begin(regions, name) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: regions
      character(kind=c_char), intent(in) :: name(*)
    end function counterpoint_region_begin

    integer(c_int) function counterpoint_region_end(regions, name) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: regions
      character(kind=c_char), intent(in) :: name(*)
    end function counterpoint_region_end

    integer(c_int) function counterpoint_regions_write(regions, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: regions
      character(kind=c_char), intent(in) :: path(*)
    end function counterpoint_regions_write

    integer(c_int) function counterpoint_regions_trace(regions, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: regions
      character(kind=c_char), intent(in) :: path(*)
    end function counterpoint_regions_trace
  end interface

contains

  ! A string of the library, such as a value's name.
  function counterpoint_text(string) result(text)
    type(c_ptr), intent(in) :: string
    character(:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: length, i

    interface
      integer(c_size_t) function strlen(string) bind(c)
        import :: c_size_t, c_ptr
        type(c_ptr), value :: string
      end function strlen
    end interface

    if (.not. c_associated(string)) then
      text = ''
      return
    end if
    length = int(strlen(string))
    call c_f_pointer(string, bytes, [length])
    allocate (character(length) :: text)
    do i = 1, length
      text(i:i) = bytes(i)
    end do
  end function counterpoint_text

end module counterpoint
