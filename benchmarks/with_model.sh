#!/bin/sh
# Run a command with a GGUF model, or a folder of the Qwen2 kind, served on the first GPU, and the second GPU alone for the judge:
#
#     benchmarks/with_model.sh MODEL.gguf 8000 python3 -m regrapht bench run ... --model openai:model@http://127.0.0.1:8000/v1
#
# TOKENIZER names a folder in which the model's tokenizer was saved, which spares half a minute.
# The server ends with the command. Its output goes to MODEL.gguf.log.
set -eu
model=$1 port=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
CUDA_VISIBLE_DEVICES=0 python3 "$here/serve_gguf.py" "$model" --port "$port" ${TOKENIZER:+--tokenizer "$TOKENIZER"} > "$model.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
until grep -q "^ready" "$model.log"; do
    kill -0 $server || { cat "$model.log" >&2; exit 1; }
    sleep 1
done
cat "$model.log"
CUDA_VISIBLE_DEVICES=1 "$@"
python3 -c "import sys, urllib.request as u; print(u.urlopen('http://127.0.0.1:' + sys.argv[1] + '/v1/models').read().decode())" "$port"
