# Installs a build to a fresh prefix and builds and runs the project of this folder with it:
#   cmake -DBUILD=… -DWORK=… -DCOMPILER=… -P run.cmake
cmake_minimum_required(VERSION 3.25)
foreach(name BUILD WORK COMPILER)
  if(NOT ${name})
    message(FATAL_ERROR "run.cmake needs -D${name}=…")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Configures and builds the project against the package in `package_dir`.
function(build_outside folder package_dir with_sim)
  run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${folder}
      -Dheddle_DIR=${package_dir} -DCMAKE_CXX_COMPILER=${COMPILER} -DOUTSIDE_WITH_SIM=${with_sim})
  run(${CMAKE_COMMAND} --build ${folder})
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(GLOB package_dir ${WORK}/prefix/lib*/cmake/heddle ${WORK}/prefix/lib/*/cmake/heddle)

build_outside(${WORK}/installed ${package_dir} ON)
run(${WORK}/installed/runs_deque)
run(${WORK}/installed/my_checks check)
run(${WORK}/installed/deque_checks check)

build_outside(${WORK}/without_sim ${package_dir} OFF)
run(${WORK}/without_sim/runs_deque)

# The build tree is a package too, with the same headers.
build_outside(${WORK}/build_tree ${BUILD} OFF)
run(${WORK}/build_tree/runs_deque)
