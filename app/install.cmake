# What `cmake --install` puts where, and the package that `cpack` makes of it.
include(GNUInstallDirs)

# The program itself writes its manual page and the completion of its commands.
set(written "${CMAKE_CURRENT_BINARY_DIR}/installed")
add_custom_command(
  OUTPUT "${written}/bytescope.1.gz" "${written}/bytescope.bash" "${written}/_bytescope" "${written}/bytescope.fish"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${written}"
  COMMAND bytescope manual | gzip -9n > "${written}/bytescope.1.gz"
  COMMAND bytescope completion bash > "${written}/bytescope.bash"
  COMMAND bytescope completion zsh > "${written}/_bytescope"
  COMMAND bytescope completion fish > "${written}/bytescope.fish"
  DEPENDS bytescope
  COMMENT "Writing the manual page and completions"
  VERBATIM)
add_custom_target(bytescope_installed ALL DEPENDS "${written}/bytescope.1.gz")

install(TARGETS bytescope RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${written}/bytescope.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${written}/bytescope.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME bytescope)
install(FILES "${written}/_bytescope" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${written}/bytescope.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES "${CMAKE_SOURCE_DIR}/assets/desktop/bytescope.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${CMAKE_SOURCE_DIR}/assets/desktop/bytescope.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
install(FILES "${CMAKE_SOURCE_DIR}/assets/icon/bytescope.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
install(FILES "${CMAKE_SOURCE_DIR}/core/bytepack/FORMAT.md" "${CMAKE_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bytescope)
set(CPACK_PACKAGE_CONTACT "The authors of bytescope <bytescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer for the traces of tinygrad's profiler")
set(CPACK_PACKAGE_DESCRIPTION "Opens bytepack traces of millions of events in a fraction of a second\nand shows every device's kernels and memory over time.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, which no linker sees: Mesa's drivers and the fonts.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1, libgl1-mesa-dri, fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core")
include(CPack)
