# SPDX-License-Identifier: MIT
# For 64-bit ARM with Debian's cross compiler; programs run under QEMU. The libraries are in the folder
# CREDENCE_SYSROOT, which scripts/sysroot.sh fills.
if(NOT CREDENCE_SYSROOT)
  message(FATAL_ERROR "Give -DCREDENCE_SYSROOT=FOLDER, a folder that scripts/sysroot.sh has filled")
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT ${CREDENCE_SYSROOT})
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CREDENCE_SYSROOT})
# CMake reads this file again for each program that it tries to compile.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CREDENCE_SYSROOT)

# Programs come from this machine; headers and libraries never do.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CREDENCE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CREDENCE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
