#!/usr/bin/env bash
# Makes the Debian package of a Release build and looks at it: its files, what it depends on, and, as root and where
# debootstrap is, whether it installs into a bare system, draws a picture there and can be removed again, and whether
# the sources can be configured there.
# Usage: tests/package/package.sh [FOLDER for the build]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build/package}
files=$(mktemp -d)
system=$(mktemp -d)
# Nothing of this machine is to be mounted there when it is removed.
trap 'umount -q "$system/proc" || true; rm -rf --one-file-system "$files" "$system"' EXIT

wrong() { echo "package: $*" >&2; exit 1; }

make_package() {
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBYTESCOPE_TESTS=OFF >/dev/null
  cmake --build "$build"
  rm -f "$build"/*.deb
  (cd "$build" && cpack >/dev/null)
  package=$(ls "$build"/bytescope_*.deb)
}

look_at_files() {
  local file
  dpkg-deb --extract "$package" "$files"
  for file in bin/bytescope share/man/man1/bytescope.1.gz share/applications/bytescope.desktop share/mime/packages/bytescope.xml \
    share/icons/hicolor/scalable/apps/bytescope.svg share/bash-completion/completions/bytescope \
    share/zsh/vendor-completions/_bytescope share/fish/vendor_completions.d/bytescope.fish share/doc/bytescope/copyright \
    share/doc/bytescope/five-questions.md share/doc/bytescope/FORMAT.md; do
    [ -s "$files/usr/$file" ] || wrong "lacks /usr/$file"
  done
  [ "$("$files/usr/bin/bytescope" --version)" = "bytescope $(dpkg-deb --field "$package" Version | cut -d- -f1)" ] ||
    wrong "the program tells another version"
  bash -n "$files/usr/share/bash-completion/completions/bytescope"
  if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$files/usr/share/applications/bytescope.desktop"
  fi
  if command -v update-mime-database >/dev/null; then
    update-mime-database "$files/usr/share/mime" 2>/dev/null
    grep -q application/x-bytepack "$files/usr/share/mime/globs2" || wrong "the type of traces is not known"
  fi
}

look_at_dependencies() {
  local needed
  for needed in libc6 libglfw3 libfmt libsimdjson libfontconfig1 libgl1-mesa-dri fonts-inter fonts-jetbrains-mono; do
    dpkg-deb --field "$package" Depends | grep -q "$needed" || wrong "does not depend on $needed"
  done
}

inside() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

# Fails where there is none, and says why.
make_bare_system() {
  if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "package: not installed into a bare system: that takes root and debootstrap"
    return 1
  fi
  debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$system" >"$files/log" 2>&1 || {
    tail -n 5 "$files/log"
    echo "package: not installed into a bare system: debootstrap cannot make one here"
    return 1
  }
  mount -t proc proc "$system/proc" 2>/dev/null || true
}

install_there() {
  cp "$package" "$system/tmp/"
  inside apt-get install -y -qq --no-install-recommends "/tmp/$(basename "$package")" >"$files/log" 2>&1 ||
    { tail -n 20 "$files/log"; wrong "does not install"; }
  inside bytescope generate /tmp/t.bin --events 5000 2>/dev/null
  inside bytescope screenshot /tmp/t.bin /tmp/t.png
  [ -s "$system/tmp/t.png" ] || wrong "draws no picture in a bare system"
  inside dpkg --remove bytescope >/dev/null
  [ ! -e "$system/usr/bin/bytescope" ] || wrong "is still there when removed"
  echo "package: installed into a bare system, drew a picture there, removed"
}

# What third_party/packages.sh names must be all that a build finds missing where nothing is installed.
configure_there() {
  local source=$system/root/bytescope
  mkdir "$source"
  (cd "$root" && git ls-files -z | tar --null --files-from - -cf -) | tar -C "$source" -xf -
  inside bash -c 'cd /root/bytescope && . third_party/packages.sh &&
    install_packages "${build_packages[@]}" "${test_packages[@]}" && cmake --preset dev' >"$files/log" 2>&1 ||
    { tail -n 20 "$files/log"; wrong "cannot be configured in a bare system"; }
  echo "package: configured in a bare system"
}

make_package
look_at_files
look_at_dependencies
if make_bare_system; then
  install_there
  configure_there
fi
echo "package: $package is sound"
