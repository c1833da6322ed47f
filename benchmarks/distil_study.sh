#!/bin/bash
# The study of tuned models on a machine with a GPU that is lent for minutes: each word begins its work in the background and comes back.
#
#     benchmarks/distil_study.sh data PAIRS MINUTES        pairs by all cores into $STATE/data
#     benchmarks/distil_study.sh train MODEL MINUTES       LoRA on $STATE/data/pairs.jsonl (or $PAIRS) into $STATE/NAME, NAME of MODEL without its suffix
#     benchmarks/distil_study.sh prefer MODEL MINUTES      the second stage, on $STATE/data/preferences.jsonl (or $PREFERENCES)
#     benchmarks/distil_study.sh export MODEL [STAGE]      merged into $STATE/NAME-STAGE; STAGE is first (default) or preferred
#     benchmarks/distil_study.sh serve MODEL PORT          a GGUF file, or a folder of `export`, behind a server; ready when its log says so
#     benchmarks/distil_study.sh arms LABEL URL TASKS BUDGET SECONDS ARM...   small_model_arms.sh into $STATE/arms/LABEL
#     benchmarks/distil_study.sh poll SECONDS              wait so long, or until nothing runs any more; then the end of each log
#     benchmarks/distil_study.sh stop WORD                 end what that word began
#     benchmarks/distil_study.sh pack FILE                 results and logs, without weights
#
# $STATE (default /tmp/regrapht-distil) holds everything; what was interrupted is gone on with by the same word. TOKENIZER names a folder with
# the model's tokenizer. One GPU serves and judges where there is no second one; SERVE_GPU and JUDGE_GPU say otherwise. A whole study, each
# line a call of its own (poll in between, at most nine minutes at a time):
#
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh data 5000 5
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh train qwen1.5b.gguf 8
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh export qwen1.5b.gguf
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh serve $STATE/qwen1.5b-first 8001
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh arms tuned http://127.0.0.1:8001/v1 benchmarks/cudaeval_progress_16.txt 8 400 \
#         language_model:best-of-n,mcgs hybrid:best-of-n,mcgs
set -eu
[ $# -ge 1 ] || { sed -n '2,13p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
state=${STATE:-/tmp/regrapht-distil}
word=$1
shift
mkdir -p "$state/logs" "$state/pids" "$state/arms"
export PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

name_of() { basename "${1%.gguf}"; }

begin() {  # WORD COMMAND...: in the background, in a session of its own, so that the end of this call does not end it
    local as=$1
    shift
    if [ -e "$state/pids/$as" ] && kill -0 "$(cat "$state/pids/$as")" 2> /dev/null; then echo "$as runs already" >&2; exit 2; fi
    setsid nohup "$@" >> "$state/logs/$as.log" 2>&1 < /dev/null &
    echo $! > "$state/pids/$as"
    echo "$as begins: $state/logs/$as.log"
}

running() {
    local any=1 file
    for file in "$state"/pids/*; do
        [ -e "$file" ] || continue
        case $file in */serve-*) continue ;; esac  # a server does not end by itself
        kill -0 "$(cat "$file")" 2> /dev/null && any=0
    done
    return $any
}

case $word in
    data)
        REGRAPHT_NVCC=none begin data python3 -m regrapht distil data "$state/data" --pairs "$1" --minutes "$2" --jobs "${JOBS:-$(nproc)}" \
            --trajectories "$here/../trajectories/written" --keep-out "$here/../examples" --allow-root
        ;;
    train)
        CUDA_VISIBLE_DEVICES=${SERVE_GPU:-0} begin "train-$(name_of "$1")" python3 -m regrapht distil train "$1" \
            "${PAIRS:-$state/data/pairs.jsonl}" --out "$state/$(name_of "$1")" --minutes "$2" --accept-licence \
            ${TOKENIZER:+--tokenizer "$TOKENIZER"}
        ;;
    prefer)
        CUDA_VISIBLE_DEVICES=${SERVE_GPU:-0} begin "prefer-$(name_of "$1")" python3 -m regrapht distil train "$1" \
            "${PREFERENCES:-$state/data/preferences.jsonl}" --preferences --epochs 1 --out "$state/$(name_of "$1")" --minutes "$2" \
            --accept-licence ${TOKENIZER:+--tokenizer "$TOKENIZER"}
        ;;
    export)
        stage=${2:-first}
        if [ "$stage" = preferred ]; then which=--preferred; else which=--first-stage; fi
        begin "export-$(name_of "$1")-$stage" python3 -m regrapht distil export "$1" "$state/$(name_of "$1")" "$state/$(name_of "$1")-$stage" \
            $which --accept-licence ${TOKENIZER:+--tokenizer "$TOKENIZER"}
        ;;
    serve)
        tokenizer=${TOKENIZER:-}
        [ -d "$1" ] && tokenizer=$1
        CUDA_VISIBLE_DEVICES=${SERVE_GPU:-0} begin "serve-$2" python3 "$here/serve_gguf.py" "$1" --port "$2" --slots "${SLOTS:-48}" \
            ${tokenizer:+--tokenizer "$tokenizer"}
        ;;
    arms)
        label=$1
        shift
        url=$1 tasks=$2 budget=$3 seconds=$4
        shift 4
        judge=${JUDGE_GPU:-$([ "$(nvidia-smi -L | wc -l)" -gt 1 ] && echo 1 || echo 0)}
        CUDA_VISIBLE_DEVICES=$judge begin "arms-$label" "$here/small_model_arms.sh" "$url" "$tasks" "$budget" "$seconds" "$state/arms/$label" "$@"
        ;;
    poll)
        until=$(($(date +%s) + $1))
        while running && [ "$(date +%s)" -lt $until ]; do sleep 2; done
        for log in "$state"/logs/*.log "$state"/arms/*/*.log; do
            [ -e "$log" ] && { echo "== $log"; tail -n "${LINES_OF_LOG:-6}" "$log" | cut -c1-300; }
        done
        ;;
    stop)
        for file in "$state"/pids/"$1"*; do
            [ -e "$file" ] && kill -- "-$(cat "$file")" 2> /dev/null || true
        done
        ;;
    pack)
        tar cJf "$1" -C "$state" --exclude='*.safetensors' --exclude='*.pt' --exclude='*.gguf' --exclude='data/items.jsonl' .
        ls -l "$1"
        ;;
    *)
        sed -n '2,13p' "$0" >&2
        exit 2
        ;;
esac
