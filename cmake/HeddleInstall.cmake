# The package `heddle`. Two export sets, so that a program which only runs the scheduler needs none
# of the simulator's libraries: heddle::headers, ::model and ::scheduler always exist, heddle::sim,
# ::main and ::scheduler_sim where the simulator's dependencies are found.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(HEDDLE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
set_target_properties(heddle_headers PROPERTIES EXPORT_NAME headers)

install(TARGETS ${HEDDLE_TARGETS} EXPORT heddleTargets)
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${HEDDLE_PACKAGE_DIR})
export(EXPORT heddleTargets NAMESPACE heddle:: FILE ${PROJECT_BINARY_DIR}/heddleTargets.cmake)
if(HEDDLE_SIM_TARGETS)
  install(TARGETS ${HEDDLE_SIM_TARGETS} EXPORT heddleSimTargets)
  install(EXPORT heddleSimTargets NAMESPACE heddle:: DESTINATION ${HEDDLE_PACKAGE_DIR})
  export(EXPORT heddleSimTargets NAMESPACE heddle::
         FILE ${PROJECT_BINARY_DIR}/heddleSimTargets.cmake)
endif()

foreach(room ${HEDDLE_ROOMS})
  install(DIRECTORY ${room}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle/${room}
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
foreach(face ${HEDDLE_FACES})
  get_filename_component(name ${face} NAME)
  install(FILES ${HEDDLE_INCLUDE}/heddle/${name}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle)
endforeach()

configure_file(cmake/heddleConfig.cmake ${PROJECT_BINARY_DIR}/heddleConfig.cmake COPYONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake
              ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
        DESTINATION ${HEDDLE_PACKAGE_DIR})
