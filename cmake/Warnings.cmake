# One interface target carries the warnings and sanitizers of all our own code.
add_library(mortise_warnings INTERFACE)
target_compile_options(
  mortise_warnings
  INTERFACE
    -Wall -Wextra -Wpedantic      # the usual set, and what is outside of the standard
    -Wshadow                      # a hidden name is read as the other one
    -Wconversion                  # sizes and lengths come from clients: no silent narrowing
    -Wnon-virtual-dtor            # interfaces are deleted through their base
    -Wold-style-cast              # casts that can be searched for
    -Wsuggest-override            # a changed signature must not make a new virtual
    -Wimplicit-fallthrough        # says [[fallthrough]] where it is meant
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wuseless-cast>
    $<$<BOOL:${MORTISE_WERROR}>:-Werror>)
# GCC 12 reports these inside the standard library's own inlined code under -O2 and sanitizers.
target_compile_options(mortise_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-restrict
                           -Wno-array-bounds -Wno-stringop-overread -Wno-dangling-pointer>)

# clang sees libstdc++ 12 use its own deprecated parts (std::stable_sort's buffer).
target_compile_options(mortise_warnings INTERFACE
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

add_library(mortise_sanitizers INTERFACE)
if(MORTISE_SANITIZE)
  target_compile_options(mortise_sanitizers INTERFACE -fsanitize=${MORTISE_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(mortise_sanitizers INTERFACE -fsanitize=${MORTISE_SANITIZE})
endif()
# Without it the fuzzers see nothing of what the libraries do.
if(MORTISE_FUZZ)
  target_compile_options(mortise_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()
