# Which Debian packages the project needs, and how to install them. Sourced by ./run and ./check.
# shellcheck shell=bash disable=SC2034

build_packages=(
  cmake ninja-build pkg-config g++
  libimgui-dev libglfw3-dev python3-glad libsimdjson-dev libfmt-dev libexpected-dev libcli11-dev libre2-dev
  libfontconfig-dev libfreetype-dev libpng-dev zlib1g-dev libzstd-dev libcurl4-openssl-dev libegl-dev libgl-dev libopengl-dev libgl1-mesa-dri libsystemd-dev
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core
)
test_packages=(
  libgtest-dev libgmock-dev xvfb xdotool x11-utils x11-xserver-utils libx11-dev imagemagick dbus
)
# Checks that need one of these are left out, and say so, where the system does not have it.
check_packages=(git clang-format-14 clang-tidy-14 clang-14 libclang-rt-14-dev)
all_check_packages=(cppcheck gcovr dpkg-dev debootstrap desktop-file-utils shared-mime-info)

# The packages among the arguments that are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null)" = "ii " ] || echo "$package"
  done
}

# Says what is missing of the arguments and installs it. Fails where it cannot.
install_packages() {
  local package missing=() as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This system has no apt-get. Needed, in the names of Debian's packages:"
    printf '  %s\n' "$*"
    return 1
  fi
  while read -r package; do missing+=("$package"); done < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  if [ "${#as_root[@]}" -gt 0 ] && ! command -v sudo >/dev/null; then
    echo "Missing, and neither root nor sudo is here to install it: apt-get install ${missing[*]}"
    return 1
  fi
  echo "Installing with apt-get: ${missing[*]}"
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Installs those of the arguments that the system's package lists know.
install_known_packages() {
  local package known=()
  command -v apt-cache >/dev/null || return 0
  for package in $(missing_packages "$@"); do
    if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); fi
  done
  [ "${#known[@]}" -eq 0 ] || install_packages "${known[@]}"
}
