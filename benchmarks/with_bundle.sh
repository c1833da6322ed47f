#!/bin/sh
# Run a command on a GPU machine that has no package registry, with what `make gpu-bundle` collected in .gpu-bundle:
#
#     benchmarks/with_bundle.sh python3 -m pytest -q -m gpu -n 4 --dist worksteal
#
# Wheels go to a folder of their own and bubblewrap is run by its path: nothing of the machine is changed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
place=${REGRAPHT_BUNDLE_PLACE:-/tmp/regrapht-bundle}
if [ ! -e "$place/ready" ]; then
    mkdir -p "$place/bin"
    python3 -m pip install --quiet --disable-pip-version-check --no-index --no-deps --target "$place/site" "$root"/.gpu-bundle/wheels/*.whl
    if [ -x "$root/.gpu-bundle/bin/bwrap" ]; then cp "$root/.gpu-bundle/bin/bwrap" "$place/bin/bwrap"; fi
    chmod -R a+rX "$place"
    touch "$place/ready"
fi
if [ -x "$place/bin/bwrap" ]; then export REGRAPHT_BWRAP="$place/bin/bwrap"; fi
export PYTHONPATH="$root/src:$place/site${PYTHONPATH:+:$PYTHONPATH}" PATH="$place/site/bin:$PATH"
exec "$@"
