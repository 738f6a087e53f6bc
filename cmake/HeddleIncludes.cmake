# Every include is written <heddle/ROOM/…>, in the build tree as after install: the rooms are links
# into the source tree, and the public faces (<heddle/sim.hpp>, …) are one-line forwarders.
set(HEDDLE_INCLUDE ${PROJECT_BINARY_DIR}/include)
set(HEDDLE_ROOMS scheduler model sim)
# A room has its face once the file is there.
file(GLOB HEDDLE_FACES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/sim/sim.hpp ${PROJECT_SOURCE_DIR}/model/model.hpp
  ${PROJECT_SOURCE_DIR}/scheduler/scheduler.hpp ${PROJECT_SOURCE_DIR}/scheduler/sync/sync.hpp)

file(MAKE_DIRECTORY ${HEDDLE_INCLUDE}/heddle)
foreach(room ${HEDDLE_ROOMS})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${room} ${HEDDLE_INCLUDE}/heddle/${room} SYMBOLIC)
endforeach()

foreach(face ${HEDDLE_FACES})
  get_filename_component(name ${face} NAME)
  set(forwarder ${HEDDLE_INCLUDE}/heddle/${name})
  # Never write through a link into the source tree.
  if(IS_SYMLINK ${forwarder})
    file(REMOVE ${forwarder})
  endif()
  file(CONFIGURE OUTPUT ${forwarder} CONTENT "#pragma once\n#include <heddle/${face}>\n")
endforeach()
