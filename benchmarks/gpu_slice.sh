#!/bin/bash
# One slice of the work that needs a GPU, on a machine that is lent for minutes: parts side by side, ended in time, everything kept.
#
#     benchmarks/gpu_slice.sh STATE SECONDS PART...
#
# PART is tests, judge, scale, port, corpus, suite, steps, transform, rules, experiment, engine, model, llm_steps, llm_best, llm, pareval or peers;
# `tests` are those that $TESTS names (options of pytest), or all; `steps` is `suite` without memory checkers and further values, an
# eighth of its time; `rules` is what each rule of the engine is worth ($RULES names some); `model` is a small model on the sixty tasks,
# asked at the URL in $MODEL, and `engine` the same without one, all tasks at a time ($SEARCHES of them, $WORKERS cells in each), of the methods
# that $METHODS names, in that order; `llm_steps`, `llm_best` and
# `llm` are cuda-llm-20's steps, the quickest of them in full, and its experiment without the tasks that the file $LLM_DONE names;
# `pareval` is of the suite that `regrapht bench import pareval` wrote, named by $PAREVAL. $GPUS, as in 1,2, leaves the others to other
# slices, each with a STATE of its own. STATE is a folder: what it holds is gone on
# with, and every minute it is packed into STATE.tar.xz (or $PACKED), verdict files of the corpora and of the suite's trajectories
# included, so that a machine that is taken away early has left nearly all. Unpack that beside the checkout on the next machine (`tar xJf
# state.tar.xz` gives the folder, `tar xJf STATE/verdicts.tar -C CHECKOUT` the verdicts) and give the same command again.
# Wheels and bubblewrap come from .gpu-bundle (`make gpu-bundle`), where there is one.
set -u
[ $# -ge 3 ] || { echo "usage: $0 STATE SECONDS PART..." >&2; exit 2; }
state=$(mkdir -p "$1" && cd "$1" && pwd)
seconds=$2
shift 2
begun=$(date +%s)
left() { echo $((seconds - $(date +%s) + begun - ${1:-0})); }
cd "$(dirname "$0")/.." || exit
with=()
[ -d .gpu-bundle ] && with=(benchmarks/with_bundle.sh)
# shellcheck disable=SC2086 # TESTS holds several words
run() { timeout -s INT "$(left 20)" "${with[@]}" "$@"; }
command -v nvidia-smi > /dev/null || { echo "a slice needs an NVIDIA GPU and nvcc" >&2; exit 2; }
run true || exit
list=${GPUS:-$(seq -s, 0 $(($(nvidia-smi -L | wc -l) - 1)))}
gpus=$(echo "$list" | tr , '\n' | wc -l)
export REGRAPHT_HOME=$state/home PYTHONUNBUFFERED=1
mkdir -p "$state/logs" "$state/transform" "$state/experiment"
packed=${PACKED:-$state.tar.xz}
pack() {  # the old one stays until the new one is whole
    find trajectories -name verdicts.json -print0 | tar cJf "$state/verdicts.tar" --null -T -
    tar c --exclude=pools --exclude=work -C "$(dirname "$state")" "$(basename "$state")" | nice xz -T2 -1 > "$packed.new" && mv "$packed.new" "$packed"
}
nvidia-smi -L
(while sleep 60; do pack; done) &
packing=$!
parts=()
for part in "$@"; do
    case $part in
        tests) REGRAPHT_TEST_GPUS=$list run python3 -m pytest -v -m gpu -n $((6 * gpus)) --dist worksteal -p no:cacheprovider ${TESTS:-} ;;
        judge)
            for level in screen full; do
                run python3 benchmarks/judge_crowd.py --processes 12 --gpus "$list" --level $level --seconds 25 --out "$state/crowd.jsonl"
            done
            run python3 benchmarks/judge.py stages --out "$state/judge.jsonl" --stop-after "$(left 40)"
            ;;
        corpus)  # one data set a shape: each costs a run of the reference
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            run python3 benchmarks/verify_corpus.py trajectories/hopper --workers 2 --gpus "$list" --stop-after "$(left 45)"
            run python3 benchmarks/verify_corpus.py trajectories/written --workers $((6 * gpus)) --gpus "$list" --stop-after "$(left 45)"
            ;;
        suite)
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            run python3 benchmarks/verify_corpus.py src/regrapht/bench/suites/cudaeval --solutions trajectories/cudaeval --level full \
                --workers $((6 * gpus)) --gpus "$list" --stop-after "$(left 45)"
            ;;
        steps)
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            run python3 benchmarks/verify_corpus.py src/regrapht/bench/suites/cudaeval --solutions trajectories/cudaeval --level screen \
                --workers $((24 * gpus)) --gpus "$list" --stop-after "$(left 45)"
            ;;
        transform)  # a process an input; the sequential 4096^3 product would take minutes to prove its fast equivalent
            for i in $(seq 20); do
                REGRAPHT_PROOF_S=20 CUDA_VISIBLE_DEVICES=$(echo "$list" | cut -d, -f$((i % gpus + 1))) run python3 benchmarks/transform_on_gpu.py --budget 40 --tune 12 \
                    --workers 2 --part "$i/20" --out "$state/transform/$i.jsonl" --stop-after "$(left 60)" &
            done
            wait
            run python3 benchmarks/transform_on_gpu.py --merge "$state"/transform/*.jsonl
            ;;
        rules)
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            CUDA_VISIBLE_DEVICES=$list run python3 benchmarks/rule_worth.py --out "$state/rules.jsonl" --seconds "$(left 60)" --workers 8 --rounds 3 ${RULES:+--rules "$RULES"}
            ;;
        engine | model)  # the first GPU has the model where no list says otherwise; whoever serves it may still be loading it
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            judges=$list
            asked=()
            table="engine:mcgs:transform"
            if [ "$part" = model ]; then
                until curl -sf "${MODEL:?the address of a server, as http://127.0.0.1:8000/v1}/models" > /dev/null || [ "$(left 60)" -lt 0 ]; do sleep 1; done
                [ "$gpus" -gt 1 ] && judges=${GPUS:-${list#*,}}
                asked=(--model "openai:model@$MODEL" --max-tokens 1024 --context-tokens 6100)
                table="$table standard:direct hybrid:mcgs:hybrid alone:mcgs best-of-n:best-of-n no-graph:no-graph shuffled:shuffled-graph rag:rag fsr:fsr"
            fi
            methods=""
            for wanted in ${METHODS:-$(echo "$table" | sed 's/:[^ ]*//g')}; do  # in the order wanted
                IFS=: read -r name search proposer <<< "$(echo "$table" | tr ' ' '\n' | grep "^$wanted:")"
                [ -n "$name" ] || { echo "no method of this part is called $wanted" >&2; continue; }
                methods="$methods $name=search:$search,proposer:${proposer:-language_model}"
            done
            # shellcheck disable=SC2086 # a word a method
            run python3 benchmarks/experiment_on_gpus.py --tasks "${MODEL_TASKS:-benchmarks/cudaeval_60.txt}" --parts "$state/$part" \
                --out "$state/${part}_results" --gpus "$judges" --workers "${SEARCHES:-60}" --seeds 1 \
                --stop-after "$(left 45)" -- "${asked[@]}" --budget "${BUDGET:-20}" --workers "${WORKERS:-1}" $(printf -- '--method %s ' $methods)
            ;;
        llm_steps | llm_best)  # all steps as a search screens; then the quickest of each task in full
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=60 REGRAPHT_PROOF_S=12
            how="--level screen"
            [ "$part" = llm_best ] && how="--level full --best"
            run python3 benchmarks/verify_corpus.py src/regrapht/bench/suites/cuda-llm-20 --solutions trajectories/cudaeval $how \
                --workers $((10 * gpus)) --gpus "$list" --stop-after "$(left 45)"
            ;;
        llm)  # what moves gibibytes for each judgement has the last GPU, with one GPU the same
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=60 REGRAPHT_PROOF_S=12
            llm() {  # tasks, GPU, processes, candidates at a time in each
                grep -vxFf "${LLM_DONE:-/dev/null}" "benchmarks/cuda_llm_$1.txt" > "$state/llm_$1.txt"
                grep -qv '^#' "$state/llm_$1.txt" || return 0
                run python3 benchmarks/experiment_on_gpus.py --suite cuda-llm-20 --tasks "$state/llm_$1.txt" \
                    --parts "$state/llm" --out "$state/llm_$1" --gpus "$2" --workers "$3" --seeds 1 --stop-after "$(left 45)" \
                    -- --proposer transform --budget 20 --workers "$4" --method direct --method fsr --method mcgs
            }
            llm largest "${list##*,}" 1 2 &
            llm large "${list##*,}" 2 1 &
            llm small "${list%%,*}" 10 2
            wait
            ;;
        pareval)
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            run python3 benchmarks/experiment_on_gpus.py --suite "${PAREVAL:?the folder that bench import pareval wrote}" \
                --parts "$state/pareval" --out "$state/pareval_results" --gpus "$list" --workers $((24 * gpus)) --seeds 1 \
                --stop-after "$(left 45)" -- --proposer transform --budget 20 --workers 2 --method direct --method fsr --method mcgs
            ;;
        scale)  # needs all of the machine
            run sh benchmarks/scale_on_gpus.sh "$state/scale.jsonl" "$list"
            ;;
        port)  # its whole programs are timed at the end, one at a time on each GPU
            run python3 benchmarks/port_apps.py --out "$state/port.jsonl" --folder "$state/work" --gpus "$list" \
                --seconds "$(($(left 45) * 2 / 3))" --timed-seconds "$(($(left 45) / 3))"
            ;;
        peers)  # alone on its GPU: its times are of calls one after the other
            CUDA_VISIBLE_DEVICES=${list%%,*} run python3 benchmarks/peers/compare.py --prebuilt .gpu-bundle/peers --out "$state/peers.jsonl" --limit 60 --stop-after "$(left 150)"
            ;;
        experiment)
            export REGRAPHT_BENCH_SETS=1 REGRAPHT_POOL_GIB=40
            run python3 benchmarks/experiment_on_gpus.py --tasks benchmarks/cudaeval_60.txt --parts "$state/experiment" --out "$state/results" \
                --gpus "$list" --workers $((30 * gpus)) --seeds 3 --stop-after "$(left 45)" -- --proposer transform --budget 20 --workers 2 \
                --method direct --method random-walk --method fsr --method mcgs-paper --method mcgs \
                --method shuffled-graph --method no-graph
            ;;
        *) echo "no part is called $part" >&2 ;;
    esac > "$state/logs/$part.txt" 2>&1 &
    parts+=($!)
done
wait "${parts[@]}"
kill "$packing"
wait "$packing" 2> /dev/null
tail -n 5 "$state"/logs/*.txt
pack
