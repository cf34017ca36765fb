# gpu-qualifiers as a target of a build:
#
#   include(path/to/GpuQualifiers.cmake)
#   gpu_qualifiers_add_target(qualifiers PATHS src OPTIONS --fail-on=warning)
#
# `cmake --build build --target qualifiers` checks the paths with the flags of the build. A second run checks only what changed.
# With FIX a second target, `qualifiers-fix`, writes the fixes.

find_program(GPU_QUALIFIERS_EXECUTABLE gpu-qualifiers
  HINTS "${CMAKE_SOURCE_DIR}/node_modules/.bin" "${CMAKE_CURRENT_LIST_DIR}/../../../.bin"
  DOC "The command gpu-qualifiers, as npm installs it")

# Every source gets the flags that it is built with: those of targets that are added later, and of those that are there already.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(GPU_QUALIFIERS_CHECK "${CMAKE_CURRENT_LIST_DIR}/check.cmake")

function(_gpu_qualifiers_export folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
    endif()
  endforeach()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(each IN LISTS below)
    _gpu_qualifiers_export("${each}")
  endforeach()
endfunction()

function(gpu_qualifiers_add_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FIX;ALL" "" "PATHS;OPTIONS;FLAGS")
  if(NOT GPU_QUALIFIERS_EXECUTABLE)
    message(WARNING "gpu-qualifiers is not installed: no target '${name}' (npm install --save-dev gpu-qualifiers)")
    return()
  endif()
  if(NOT arg_PATHS)
    set(arg_PATHS .)
  endif()
  set(flags)
  if(arg_FLAGS)
    set(flags -- ${arg_FLAGS})
  endif()
  set(all)
  if(arg_ALL)
    set(all ALL)
  endif()
  _gpu_qualifiers_export("${CMAKE_SOURCE_DIR}")
  # The database of this very build, wherever it is. A link in the source folder would do the same, but is the user's to make.
  set(run "${CMAKE_COMMAND}" -P "${GPU_QUALIFIERS_CHECK}" -- "${CMAKE_BINARY_DIR}" "${GPU_QUALIFIERS_EXECUTABLE}")
  add_custom_target(${name} ${all}
    COMMAND ${run} check ${arg_OPTIONS} ${arg_PATHS} ${flags}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    USES_TERMINAL VERBATIM
    COMMENT "Checking qualifiers")
  if(arg_FIX)
    add_custom_target(${name}-fix
      COMMAND ${run} check --fix ${arg_OPTIONS} ${arg_PATHS} ${flags}
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      USES_TERMINAL VERBATIM
      COMMENT "Fixing qualifiers")
  endif()
endfunction()
