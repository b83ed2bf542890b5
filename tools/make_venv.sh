#!/bin/sh
# Make the virtual environment in the folder named by the first argument, or keep it when it works.
# PYTHON=/path/to/python picks the interpreter; otherwise the newest suitable one on PATH is taken.
set -eu

venv=$1

suits() {
    # Runs the candidate: a version manager's shim may exist on PATH and still not start.
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if [ -d "$venv" ] && suits "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi

python=
without_venv=
for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
    suits "$candidate" || continue
    if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        python=$candidate
        break
    fi
    without_venv=${without_venv:-$candidate}
done

if [ -z "$python" ] && [ -n "$without_venv" ]; then
    version=$("$without_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "error: $without_venv (Python $version) has no venv module with pip." >&2
    echo "       On Debian or Ubuntu: apt install python$version-venv" >&2
    exit 1
fi
if [ -z "$python" ]; then
    echo "error: Python 3.11 or newer is needed; tried: ${PYTHON:-python3.13 python3.12 python3.11 python3}." >&2
    echo "       Debian: apt install python3 python3-venv    macOS: brew install python" >&2
    echo "       Or name one: make PYTHON=/path/to/python" >&2
    exit 1
fi

echo "Making $venv with $("$python" --version) ($python)"
"$python" -m venv --clear "$venv"
