#!/bin/bash
# The study of tuned models on a machine with a GPU that is lent for minutes: each word begins its work in the background and comes back.
#
#     benchmarks/distil_study.sh data PAIRS MINUTES        pairs by all cores into $STATE/data
#     benchmarks/distil_study.sh train MODEL MINUTES       LoRA on $STATE/data/pairs.jsonl (or $PAIRS) into $STATE/NAME, NAME of MODEL without its suffix
#     benchmarks/distil_study.sh prefer MODEL MINUTES      the second stage, on $STATE/data/preferences.jsonl (or $PREFERENCES)
#     benchmarks/distil_study.sh export MODEL [STAGE]      merged into $STATE/NAME-STAGE; STAGE is first (default) or preferred
#     benchmarks/distil_study.sh serve MODEL PORT          a GGUF file, or a folder of `export`, behind a server; ready when its log says so
#     benchmarks/distil_study.sh arms LABEL URL TASKS BUDGET SECONDS ARM...   experiment_on_gpus.py into $STATE/arms/LABEL; ARM is PROPOSER:SEARCH,...
#     benchmarks/distil_study.sh tables                    the tasks of each label joined, and its table
#     benchmarks/distil_study.sh poll SECONDS              wait so long, or until nothing runs any more; then the end of each log
#     benchmarks/distil_study.sh stop WORD                 end what that word began
#     benchmarks/distil_study.sh pack FILE                 results and logs, without weights and pairs, as FILE.aa, FILE.ab ... of 15 MB
#
# $STATE (default /tmp/regrapht-distil) holds everything; what was interrupted is gone on with by the same word. TOKENIZER names a folder with
# the model's tokenizer, TRAIN_OPTIONS more options of the training. One GPU serves and judges where there is no second one; TRAIN_GPU, SERVE_GPU
# and JUDGE_GPU (one number, or several between commas) say otherwise. PARTS=10 works on so many tasks side by side,
# because a process keeps fewer than two cores busy. Pairs are judged with the machine's nvcc, so that repairs are told in the words that a judge on a
# GPU uses. A whole study, each line a call of its own (poll in between, at most nine minutes at a time):
#
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh data 5000 5
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh train qwen1.5b.gguf 8
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh export qwen1.5b.gguf
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh serve $STATE/qwen1.5b-first 8001
#     benchmarks/with_bundle.sh benchmarks/distil_study.sh arms tuned http://127.0.0.1:8001/v1 benchmarks/cudaeval_progress_16.txt 8 400 \
#         language_model:best-of-n,mcgs hybrid:best-of-n,mcgs
set -eu
[ $# -ge 1 ] || { sed -n '2,14p' "$0" >&2; exit 2; }
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
        begin data python3 -m regrapht distil data "$state/data" --pairs "$1" --minutes "$2" --jobs "${JOBS:-$(nproc)}" \
            --trajectories "$here/../trajectories/written" --keep-out "$here/../examples" --allow-root
        ;;
    train)
        # shellcheck disable=SC2086
        CUDA_VISIBLE_DEVICES=${TRAIN_GPU:-0} begin "train-$(name_of "$1")" python3 -m regrapht distil train "$1" \
            "${PAIRS:-$state/data/pairs.jsonl}" --out "$state/$(name_of "$1")" --minutes "$2" --accept-licence \
            ${TOKENIZER:+--tokenizer "$TOKENIZER"} ${TRAIN_OPTIONS:-}
        ;;
    prefer)
        # shellcheck disable=SC2086
        CUDA_VISIBLE_DEVICES=${TRAIN_GPU:-0} begin "prefer-$(name_of "$1")" python3 -m regrapht distil train "$1" \
            "${PREFERENCES:-$state/data/preferences.jsonl}" --preferences --epochs 1 --out "$state/$(name_of "$1")" --minutes "$2" \
            --accept-licence ${TOKENIZER:+--tokenizer "$TOKENIZER"} ${TRAIN_OPTIONS:-}
        ;;
    export)
        stage=${2:-first}
        if [ "$stage" = preferred ]; then which=--preferred; else which=--first-stage; fi
        CUDA_VISIBLE_DEVICES=${TRAIN_GPU:-0} begin "export-$(name_of "$1")-$stage" python3 -m regrapht distil export "$1" "$state/$(name_of "$1")" "$state/$(name_of "$1")-$stage" \
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
        judges=${JUDGE_GPU:-$([ "$(nvidia-smi -L | wc -l)" -gt 1 ] && echo 1 || echo 0)}
        methods=()
        for arm in "$@"; do
            for search in $(echo "${arm#*:}" | tr ',' ' '); do methods+=(--method "${arm%%:*}-$search=search:$search,proposer:${arm%%:*}"); done
        done
        begin "arms-$label" python3 "$here/experiment_on_gpus.py" --tasks "$tasks" --parts "$state/arms/$label" --out "$state/joined/$label" \
            --gpus "$judges" --workers "${PARTS:-1}" --seeds 1 --stop-after "$seconds" -- --model "openai:model@$url" --budget "$budget" \
            --max-tokens 1024 --context-tokens 6100 --evaluator local_gpu --workers 2 --allow-root "${methods[@]}"
        ;;
    poll)
        until=$(($(date +%s) + $1))
        while running && [ "$(date +%s)" -lt $until ]; do sleep 2; done
        for log in "$state"/logs/*.log; do
            [ -e "$log" ] && { echo "== $log"; tail -n "${LINES_OF_LOG:-6}" "$log" | cut -c1-300; }
        done
        ;;
    stop)
        for file in "$state"/pids/"$1"*; do  # a word's beginning is enough
            [ -e "$file" ] && kill -- "-$(cat "$file")" 2> /dev/null || true
        done
        ;;
    tables)
        for label in "$state"/arms/*; do
            found=("$label"/*/results.jsonl)
            joined=$state/joined/$(basename "$label")
            [ -e "${found[0]}" ] || { echo "$(basename "$label"): no cell has ended" >&2; continue; }
            echo "== $(basename "$label")"
            rm -rf "$joined"
            python3 -m regrapht bench merge "${found[@]%/results.jsonl}" --out "$joined" && python3 -m regrapht bench report "$joined"
        done
        ;;
    pack)
        tar cJ -C "$state" --exclude='*.safetensors' --exclude='*.pt' --exclude='*.gguf' --exclude='data/*.jsonl' --exclude=tokenizer.json . \
            | split -b 15M - "$1."
        ls -l "$1".*
        ;;
    *)
        sed -n '2,14p' "$0" >&2
        exit 2
        ;;
esac
