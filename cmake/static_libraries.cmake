# Links the distribution's static archives instead of its shared libraries, where it has them.
#
# A program that reads a log of 16 KiB is done in a millisecond; loading and relocating the forty shared objects that RE2,
# Abseil and OpenSSL amount to takes several. An archive costs nothing at start, and of it only what is used is linked.
# The headers and versions are the same either way.

# autotune_static(NAME SHARED ARCHIVES...): an interface library of the archives libX.a, or of the target SHARED when one
# of them is missing or AUTOTUNE_STATIC is off. SHARED's include folders are kept.
function(autotune_static name shared)
  add_library(${name} INTERFACE)
  set(archives)
  foreach(archive ${ARGN})
    find_library(AUTOTUNE_ARCHIVE_${archive} NAMES lib${archive}.a)
    mark_as_advanced(AUTOTUNE_ARCHIVE_${archive})
    list(APPEND archives ${AUTOTUNE_ARCHIVE_${archive}})
  endforeach()
  if(NOT AUTOTUNE_STATIC OR NOT archives OR archives MATCHES "NOTFOUND")
    target_link_libraries(${name} INTERFACE ${shared})
    return()
  endif()
  foreach(target ${shared})
    target_include_directories(${name} INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name} INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>)
  endforeach()
  # Archives of Abseil need each other in circles.
  target_link_libraries(${name} INTERFACE "$<LINK_GROUP:RESCAN,${archives}>" Threads::Threads)
endfunction()

# The names of all archives that pkg-config modules need, in OUT.
function(autotune_archives_of out)
  execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --static --libs-only-l ${ARGN} OUTPUT_VARIABLE flags
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "-l[^ ]+" flags "${flags}")
  list(TRANSFORM flags REPLACE "^-l" "")
  list(REMOVE_DUPLICATES flags)
  list(REMOVE_ITEM flags atomic rt dl pthread m)  # the compiler's own
  set(${out} ${flags} PARENT_SCOPE)
endfunction()
