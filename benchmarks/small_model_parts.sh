#!/bin/sh
# small_model_arms.sh with the tasks in parts, each part's judge on one of several GPUs in turn:
#
#     benchmarks/small_model_parts.sh URL TASKS PARTS GPUS BUDGET SECONDS OUT ARM...
#     benchmarks/small_model_parts.sh http://127.0.0.1:8000/v1 benchmarks/cudaeval_60.txt 15 1,2,3 10 540 out language_model:direct,mcgs hybrid:mcgs
#
# One process of `bench run` keeps fewer than two cores busy whatever its --workers, so many parts are quicker than many workers. The same
# command goes on with what has not ended; `regrapht bench merge OUT/*/hybrid --out JOINED` joins the parts.
set -eu
url=$1 tasks=$2 parts=$3 gpus=$4 budget=$5 seconds=$6 out=$7
shift 7
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
count=$(awk '/^#/ { next } NF { n++ } END { print n + 0 }' "$tasks")
if [ "$count" -eq 0 ]; then
    echo "small_model_parts.sh: $tasks names no task" >&2
    exit 2
fi
if [ "$parts" -gt "$count" ]; then parts=$count; fi # a part needs a task
awk -v parts="$parts" -v out="$out" '/^#/ { next } NF { print $1 > (out "/tasks_" n++ % parts ".txt") }' "$tasks"
part=0
while [ "$part" -lt "$parts" ]; do
    gpu=$(echo "$gpus" | tr ',' '\n' | sed -n "$((part % $(echo "$gpus" | tr ',' '\n' | wc -l) + 1))p")
    CUDA_VISIBLE_DEVICES=$gpu WORKERS=${WORKERS:-2} \
        "$here/small_model_arms.sh" "$url" "$out/tasks_$part.txt" "$budget" "$seconds" "$out/$part" "$@" &
    part=$((part + 1))
done
wait
