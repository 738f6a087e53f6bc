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
    # Traces name places relative to the project that uses the package, so that they replay and
    # read well on other machines.
    get_target_property(_heddle_include heddle::headers INTERFACE_INCLUDE_DIRECTORIES)
    target_compile_options(heddle::sim INTERFACE
      -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= -fmacro-prefix-map=${_heddle_include}/=)
    unset(_heddle_include)
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
