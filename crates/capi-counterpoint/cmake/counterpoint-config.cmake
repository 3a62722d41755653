# find_package(counterpoint) defines the target counterpoint::counterpoint.
get_filename_component(_counterpoint_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET counterpoint::counterpoint)
  add_library(counterpoint::counterpoint SHARED IMPORTED)
  set_target_properties(counterpoint::counterpoint PROPERTIES
    IMPORTED_LOCATION "${_counterpoint_prefix}/lib/libcounterpoint.so.0"
    IMPORTED_SONAME "libcounterpoint.so.0"
    INTERFACE_INCLUDE_DIRECTORIES "${_counterpoint_prefix}/include")
endif()
unset(_counterpoint_prefix)
