#!/bin/sh
# The Node on the PATH of the machine that runs the action.
exec node "$@"
