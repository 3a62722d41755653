! The threads of a team take 30, 60, 90 page faults and so on, in a region of Fortran. PAPI_EVENTS names the event.
program teams
  use counterpoint
  use omp_lib
  implicit none

  interface
    type(c_ptr) function mmap(address, length, protection, flags, file, offset) bind(c)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: address
      integer(c_size_t), value :: length, offset
      integer(c_int), value :: protection, flags, file
    end function mmap
  end interface
  type(c_ptr) :: regions
  character(len=4096) :: report

  call get_command_argument(1, report)
  call checked(counterpoint_regions_open(regions, c_null_ptr, c_null_ptr))
  !$omp parallel
  call visit('first'//c_null_char, 1)
  call visit('team'//c_null_char, 30 * (omp_get_thread_num() + 1))
  !$omp end parallel
  call checked(counterpoint_regions_write(regions, trim(report)//c_null_char))
  call checked(counterpoint_regions_close(regions))

contains

  subroutine visit(name, pages)
    character(len=*), intent(in) :: name
    integer, intent(in) :: pages
    character(kind=c_char), pointer, volatile :: memory(:)
    integer :: page

    call checked(counterpoint_region_begin(regions, name))
    ! Readable, writable, private and anonymous.
    call c_f_pointer(mmap(c_null_ptr, 4096_c_size_t * pages, 3, 34, -1, 0_c_size_t), memory, [4096 * pages])
    do page = 1, 4096 * pages, 4096
      memory(page) = 'a'
    end do
    call checked(counterpoint_region_end(regions, name))
  end subroutine visit

  subroutine checked(result)
    integer(c_int), intent(in) :: result
    if (result < 0) error stop 1
  end subroutine checked
end program teams
