# find_package(heddle [COMPONENTS scheduler model sim])
#
# The scheduler and the models are always there. The simulator (heddle::sim, heddle::main,
# heddle::scheduler_sim) needs Boost.Context and Abseil; without them the package is still found,
# unless the component `sim` was asked for.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/heddleTargets.cmake)
set(heddle_scheduler_FOUND TRUE)
set(heddle_model_FOUND TRUE)

set(heddle_sim_FOUND FALSE)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/heddleSimTargets.cmake)
  find_package(Boost 1.74 QUIET COMPONENTS context)
  find_package(absl QUIET)
  if(TARGET Boost::context AND TARGET absl::flat_hash_map)
    include(${CMAKE_CURRENT_LIST_DIR}/heddleSimTargets.cmake)
    set(heddle_sim_FOUND TRUE)
  endif()
endif()

foreach(component ${heddle_FIND_COMPONENTS})
  if(heddle_FIND_REQUIRED_${component} AND NOT heddle_${component}_FOUND)
    set(heddle_FOUND FALSE)
    set(heddle_NOT_FOUND_MESSAGE "heddle has no component '${component}' here. The components \
are scheduler, model and sim; sim needs Boost.Context and Abseil \
(Debian: libboost-context-dev libabsl-dev).")
  endif()
endforeach()
