# Installs a build to a fresh prefix and builds and runs the project of this folder with it:
#   cmake -DBUILD=… -DWORK=… -DCOMPILER=… -P run.cmake
cmake_minimum_required(VERSION 3.25)
foreach(name BUILD WORK COMPILER)
  if(NOT ${name})
    message(FATAL_ERROR "run.cmake needs -D${name}=…")
  endif()
endforeach()

get_filename_component(BUILD ${BUILD} ABSOLUTE)
get_filename_component(WORK ${WORK} ABSOLUTE)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The example of the README, as a source file; and the picture of its failure.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md readme)
function(block_after fence result)
  string(FIND "${readme}" "${fence}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "README.md has no block ${fence}")
  endif()
  string(SUBSTRING "${readme}" ${begin} -1 rest)
  string(REPLACE "${fence}\n" "" rest "${rest}")
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} rest)
  set(${result} "${rest}" PARENT_SCOPE)
endfunction()
block_after("```cpp" readme_example)
block_after("```text" readme_picture)

# Configures and builds the project against the package in `package_dir`.
function(build_outside folder package_dir with_sim)
  run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${folder}
      -Dheddle_DIR=${package_dir} -DCMAKE_CXX_COMPILER=${COMPILER} -DOUTSIDE_WITH_SIM=${with_sim}
      -DOUTSIDE_README=${WORK}/readme/my_scenarios.cpp)
  run(${CMAKE_COMMAND} --build ${folder})
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/readme/my_scenarios.cpp "${readme_example}")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(GLOB package_dir ${WORK}/prefix/lib*/cmake/heddle ${WORK}/prefix/lib/*/cmake/heddle)

build_outside(${WORK}/installed ${package_dir} ON)
run(${WORK}/installed/runs_deque)
run(${WORK}/installed/my_checks check)
run(${WORK}/installed/deque_checks check)

# The README says how its example fails.
execute_process(COMMAND ${WORK}/installed/readme_checks check
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
string(FIND "${output}" "${readme_picture}" found)
if(NOT status EQUAL 1 OR found EQUAL -1)
  message(FATAL_ERROR "The README's example ended with ${status} and said:\n${output}\n"
                      "which does not have the README's picture:\n${readme_picture}")
endif()

build_outside(${WORK}/without_sim ${package_dir} OFF)
run(${WORK}/without_sim/runs_deque)

# The build tree is a package too, with the same headers.
build_outside(${WORK}/build_tree ${BUILD} OFF)
run(${WORK}/build_tree/runs_deque)
