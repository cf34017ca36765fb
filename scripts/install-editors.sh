#!/usr/bin/env bash
# Installs a Neovim of 0.11 or newer and Helix into .cache/editors, from Debian's newest packages with the libraries that these
# need, beside the system's own. The tests of docs/editors.md try its snippets with them; without them those tests are skipped.
set -euo pipefail

folder="$(cd "$(dirname "$0")/.." && pwd)/.cache/editors"
mkdir -p "$folder"/apt/{lists/partial,archives/partial} "$folder"/{root,bin}
cd "$folder"
touch apt/status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main" > apt/sources.list
cat > apt/apt.conf <<CONF
Dir::State "$folder/apt";
Dir::State::lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "root";
CONF
export APT_CONFIG="$folder/apt/apt.conf"
apt-get update -qq
apt-get install -y -qq --download-only --no-install-recommends -o Debug::NoLocking=1 neovim hx > /dev/null
for package in apt/archives/*.deb; do dpkg-deb -x "$package" root; done

# Each starts with the loader and the libraries that it was built for.
libraries="$folder/root/usr/lib/$(uname -m)-linux-gnu"
loader="$(find "$libraries" -maxdepth 1 -name 'ld-linux*' | head -1)"
for program in nvim hx; do
  cat > "bin/$program" <<PROGRAM
#!/bin/sh
export VIMRUNTIME="$folder/root/usr/share/nvim/runtime"
export LUA_PATH="$folder/root/usr/share/lua/5.1/?.lua" LUA_CPATH="$libraries/lua/5.1/?.so"
exec "$loader" --library-path "$libraries" "$folder/root/usr/bin/$program" "\$@"
PROGRAM
  chmod +x "bin/$program"
done
bin/nvim --version | head -1
bin/hx --version
