#!/bin/sh
# The runs of docs/small-models.md on a machine with two GPUs: the model on the first, the judge on the second.
#
#     benchmarks/with_bundle.sh benchmarks/small_model_schedule.sh MODEL.gguf STATE SECONDS
#
# The engine alone works while the model loads; then the sixteen tasks for progress, then the sixty.
set -eu
model=$1 state=$2 seconds=$3
here=$(cd "$(dirname "$0")" && pwd)
url=http://127.0.0.1:8000/v1
end=$(($(date +%s) + seconds))
mkdir -p "$state"
left() { echo $((end - $(date +%s))); }
CUDA_VISIBLE_DEVICES=0 python3 "$here/serve_gguf.py" "$model" --port 8000 > "$state/server.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
export CUDA_VISIBLE_DEVICES=1
"$here/small_model_arms.sh" $url "$here/cudaeval_60.txt" 10 "$(left)" "$state/sixty-engine" transform:mcgs &
until grep -q "^ready" "$state/server.log"; do kill -0 $server; sleep 1; done
date +%s > "$state/ready"
"$here/small_model_arms.sh" $url "$here/cudaeval_progress_16.txt" 8 "$((seconds / 4))" "$state/sixteen" language_model:best-of-n,mcgs hybrid:mcgs
date +%s > "$state/sixteen-done"
"$here/small_model_arms.sh" $url "$here/cudaeval_60.txt" 10 "$(left)" "$state/sixty" language_model:best-of-n,mcgs hybrid:mcgs
wait
curl -s $url/models > "$state/models.json" || true
