# How every file of this tree is compiled. Directory-wide, so that nothing of it is exported: a
# program that uses heddle keeps its own warnings and flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The everyday build: optimised, because explorations run in it; asserts on; line tables only,
# because full debug information doubles the time of a link.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# A user's compiler may warn of what ours do not: the release preset builds all the same.
option(HEDDLE_WARNINGS_ARE_ERRORS "Stop at a warning" ${PROJECT_IS_TOP_LEVEL})
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                    -Woverloaded-virtual)
if(HEDDLE_WARNINGS_ARE_ERRORS)
  add_compile_options(-Werror)
endif()
# GCC 12 sees overlaps in `"text" + string` that are not there (GCC bug 105651, mended in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()

# Places in traces and messages read sim/…, scheduler/…, the same on every machine. With
# CCACHE_BASEDIR the compiler is given paths relative to the build folder; the flags then leave out
# that folder's name, so that builds in different folders share the cache.
file(RELATIVE_PATH HEDDLE_UP ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
string(REGEX REPLACE "/$" "" HEDDLE_UP ${HEDDLE_UP})
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
                    -fmacro-prefix-map=${HEDDLE_UP}/=
                    -fmacro-prefix-map=include/heddle/=)
if(NOT DEFINED ENV{CCACHE_BASEDIR})
  add_compile_options(-fmacro-prefix-map=${PROJECT_BINARY_DIR}/include/heddle/=)
endif()

if(HEDDLE_SANITIZER)
  if(NOT HEDDLE_SANITIZER MATCHES "^(address|undefined|thread)$")
    message(FATAL_ERROR "HEDDLE_SANITIZER is '${HEDDLE_SANITIZER}': "
                        "use address, undefined, thread or nothing")
  endif()
  add_compile_options(-fsanitize=${HEDDLE_SANITIZER} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEDDLE_SANITIZER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With the sanitizers' code in between GCC 12 takes std::regex for uninitialised.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  if(HEDDLE_SANITIZER STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns that ThreadSanitizer does not follow fences. The scheduler's order stores with loads
    # (Dekker pairs); its data travels by acquire and release, which the sanitizer follows.
    add_compile_options(-Wno-tsan)
  endif()
endif()

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HEDDLE_CCACHE})
endif()

find_program(HEDDLE_MOLD mold)
find_program(HEDDLE_LLD ld.lld)
if(HEDDLE_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(HEDDLE_LLD)
  add_link_options(-fuse-ld=lld)
endif()
