#!/bin/sh
# How judging scales over the GPUs of one host, without Ray: eight processes a GPU, each judging programs that no cache knows, on one GPU and on
# all (and on two, when screening). Some three minutes with four GPUs.
#
#     benchmarks/scale_on_gpus.sh OUT.jsonl [GPUS [SECONDS]]        GPUS as in 0,1,2,3; SECONDS (18) of each of the five crowds
#
# OUT.jsonl gets a line a crowd; the table of docs/scale.md is `python benchmarks/scale.py --crowds OUT.jsonl`.
set -eu
out=$1 gpus=${2:-0,1,2,3} seconds=${3:-18}
here=$(cd "$(dirname "$0")" && pwd)
one=${gpus%%,*}
two=$(echo "$gpus" | cut -d, -f1,2)
crowd() {  # LEVEL GPUS SECONDS OUT
    count=$(echo "$2" | tr ',' '\n' | wc -l)
    python3 "$here/judge_crowd.py" --processes $((8 * count)) --gpus "$2" --level "$1" --seconds "$3" --out "$4" > /dev/null
}
# The first judgements of a machine build and measure what the others find ready.
crowd screen "$gpus" 1 /dev/null
for part in "screen $one" "screen $two" "screen $gpus" "full $one" "full $gpus"; do
    # shellcheck disable=SC2086
    crowd $part "$seconds" "$out"
done
python3 "$here/scale.py" --crowds "$out"
