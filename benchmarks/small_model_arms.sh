#!/bin/sh
# A small model behind a server, in several arms side by side on one GPU, each into a folder of its own:
#
#     benchmarks/with_model.sh MODEL.gguf 8000 benchmarks/small_model_arms.sh URL TASKS BUDGET SECONDS OUT ARM...
#
# ARM is PROPOSER:METHOD[,METHOD ...], such as language_model:best-of-n,mcgs or transform:mcgs. What has not ended after SECONDS is interrupted;
# the cells that ended are kept, and the same command goes on with the others. EVALUATOR (local_gpu), MAX_TOKENS (1024),
# CONTEXT_TOKENS (6100) and WORKERS (10) may be given. Needs what the judge needs; see docs/small-models.md.
set -eu
url=$1 tasks=$2 budget=$3 seconds=$4 out=$5
shift 5
mkdir -p "$out"
for arm in "$@"; do
    proposer=${arm%%:*}
    methods=$(echo "${arm#*:}" | tr ',' '\n' | sed 's/^/--method /' | tr '\n' ' ')
    model="--model openai:model@$url --max-tokens ${MAX_TOKENS:-1024} --context-tokens ${CONTEXT_TOKENS:-6100}"
    if [ "$proposer" = transform ]; then model=; fi
    # shellcheck disable=SC2086
    timeout -s INT -k 20 "$seconds" python3 -m regrapht bench run cudaeval --tasks "$tasks" $methods --proposer "$proposer" $model \
        --budget "$budget" --evaluator "${EVALUATOR:-local_gpu}" --workers "${WORKERS:-10}" --allow-root --out "$out/$proposer" \
        > "$out/$proposer.log" 2>&1 &
done
wait
