# mortise_layer(NAME SOURCES … HEADERS … LINKS …): one folder = one static library. HEADERS form a
# verified header set: each must compile alone. Includes are written from the project's root.
function(mortise_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS" ${ARGN})
  set(target mortise_${name})
  add_library(${target} STATIC ${LAYER_SOURCES})
  add_library(mortise::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_sources(${target} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${LAYER_HEADERS})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/mortise>)
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_link_libraries(${target}
    PUBLIC ${LAYER_LINKS} $<BUILD_INTERFACE:mortise_sanitizers>
    PRIVATE $<BUILD_INTERFACE:mortise_warnings> ${LAYER_PRIVATE_LINKS})
  set_property(GLOBAL APPEND PROPERTY MORTISE_LAYERS ${target})
endfunction()
