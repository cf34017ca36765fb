#!/usr/bin/env bash
# Installs what only root may: the browser, the editors, their linters, the build systems and the shells that the tests drive, the compilers that
# the precision tests compare with, and the language server that the benchmark does. Debian bookworm names. Nothing here is needed
# to use or to build the project, and a test whose program is missing is reported as skipped.
set -uo pipefail

packages=(lua-check yamllint elpa-package-lint)
packages+=(chromium neovim emacs-nox elpa-eglot clang-22 lld-22 clangd-22 bazel-bootstrap cmake ninja-build pre-commit zsh fish)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "not root, so these stay missing: ${missing[*]} (try: sudo $0)" >&2
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
# One by one: a package that this system does not have must not keep the others away.
for package in "${missing[@]}"; do
  apt-get install -y -qq --no-install-recommends "$package" >&2 || echo "could not install $package" >&2
done
