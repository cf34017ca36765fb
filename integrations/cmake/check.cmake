# Runs a check as a step of the build: `cmake -P check.cmake -- FOLDER PROGRAM ARGUMENTS…`. The database of the build in FOLDER gives each
# file its flags, if the generator has written one: that of Visual Studio and Xcode do not, nor does any for a project without sources.

set(command)
set(folder)
set(isBehind FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  # A semicolon would end the element of a list.
  string(REPLACE ";" "\\;" argument "${CMAKE_ARGV${index}}")
  if(isBehind AND NOT folder)
    set(folder "${argument}")
  elseif(isBehind)
    list(APPEND command "${argument}")
    # The words behind the program's name and that of its command are options, before any path.
    list(LENGTH command length)
    if(length EQUAL 2 AND EXISTS "${folder}/compile_commands.json")
      list(APPEND command --build "${folder}")
    endif()
  elseif(argument STREQUAL "--")
    set(isBehind TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  # The findings are printed; this makes the build fail.
  message(FATAL_ERROR "gpu-qualifiers: exit code ${code}")
endif()
