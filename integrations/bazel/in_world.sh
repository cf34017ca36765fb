#!/usr/bin/env bash
# Runs gpu-qualifiers in a folder of its own that holds copies of an action's inputs, and nothing else: inputs are links out of a
# sandbox otherwise, which a check does not follow. The compilation database there says how each source is built.
#   in_world.sh <node> <program> <list of inputs> <list of database entries> <output> <exit code file or -> <arguments…>
set -euo pipefail
here=$PWD
node=$here/$1 program=$here/$2 inputs=$3 entries=$4 output=$here/$5 code=$6
shift 6
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
while IFS= read -r file; do
  mkdir -p "$world/$(dirname "$file")"
  cp -L "$file" "$world/$file"
done < "$inputs"
# Where the project begins, whatever lies above.
[ -e "$world/gpu-qualifiers.json" ] || echo '{}' > "$world/gpu-qualifiers.json"
{
  echo '['
  separator=''
  while IFS= read -r entry; do
    printf '%s' "$separator"
    cat "$entry"
    separator=','
  done < "$entries"
  echo ']'
} > "$world/compile_commands.json"
arguments=()
for argument in "$@"; do arguments+=("${argument//@HERE@/$here}"); done
cd "$world"
if [ "$code" = - ]; then
  "$node" "$program" "${arguments[@]}" --output "$output"
else
  status=0
  "$node" "$program" "${arguments[@]}" > "$output" || status=$?
  # What could not be checked is a mistake of the build; findings are for the test to tell.
  [ "$status" -lt 2 ] || exit "$status"
  echo "$status" > "$here/$code"
fi
