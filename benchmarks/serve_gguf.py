"""An OpenAI-compatible chat endpoint on loopback over a model of the Qwen2 kind, as GGUF or a folder, for a GPU machine without a registry.

    python benchmarks/serve_gguf.py MODEL.gguf --port 8000 --slots 64 --context 6144

It needs torch, transformers (for the tokenizer alone) and gguf. Requests are batched continuously: a slot that has finished is filled again
at the next look, every few tokens. On a GPU one decoded token of all slots, sampling included, is one replay of a CUDA graph, because
launching some four hundred kernels one by one takes longer than they run. Without a GPU the same functions run as they are, slowly.

Sampling draws from the 64 likeliest tokens inside `top_p`; `seed` is not taken: a batch's company changes a reply. A last message of the
assistant's is a begun reply, which is gone on with. `GET /v1/models` also tells tokens and seconds so far.
"""

import argparse
import json
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from gguf import GGUFReader
from gguf.quants import dequantize

LIKELIEST = 64
STEPS = 8
"""Tokens of every slot between two looks at which of them have finished."""
PREFILL_AT_ONCE = 8
LONGEST_REPLY = 4096


# ---- weights


class Weights:
    """The tensors of a GGUF file, dequantised, or of a folder, on the device, and its numbers."""

    def __init__(self, path: Path, device: str, dtype: torch.dtype) -> None:
        self.tensors: dict[str, torch.Tensor] = {}
        number = self._of_folder(path, device, dtype) if path.is_dir() else self._of_file(path, device, dtype)
        self.layers, self.hidden = number["block_count"], number["embedding_length"]
        self.heads, self.kv_heads = number["attention.head_count"], number["attention.head_count_kv"]
        self.head_dim = self.hidden // self.heads
        self.eps = number["attention.layer_norm_rms_epsilon"]
        self.rope_base = number["rope.freq_base"] or 10000.0

    def _of_file(self, path: Path, device: str, dtype: torch.dtype) -> dict[str, Any]:
        reader = GGUFReader(path)
        _require_qwen2(path, self._value(reader, "general.architecture"))
        with ThreadPoolExecutor(12) as pool:
            for name, values in pool.map(lambda one: (one.name, dequantize(one.data, one.tensor_type)), reader.tensors):
                self.tensors[name] = torch.from_numpy(values.copy()).to(device=device, dtype=dtype)
        return {key: self._value(reader, f"qwen2.{key}") for key in _NUMBERS}

    def _of_folder(self, path: Path, device: str, dtype: torch.dtype) -> dict[str, Any]:
        """The same of a folder of Hugging Face's format, such as `regrapht distil export` writes."""
        from safetensors import safe_open

        config = json.loads((path / "config.json").read_text())
        _require_qwen2(path, config.get("model_type"))
        for file in sorted(path.glob("*.safetensors")):
            with safe_open(file, framework="pt") as opened:
                for name in opened.keys():  # noqa: SIM118 (it is no mapping)
                    self.tensors[_gguf_name(name)] = opened.get_tensor(name).to(device=device, dtype=dtype)
        rope = config.get("rope_parameters") or config
        return {
            "block_count": config["num_hidden_layers"],
            "embedding_length": config["hidden_size"],
            "attention.head_count": config["num_attention_heads"],
            "attention.head_count_kv": config["num_key_value_heads"],
            "attention.layer_norm_rms_epsilon": config["rms_norm_eps"],
            "rope.freq_base": rope.get("rope_theta"),
        }

    @staticmethod
    def _value(reader: GGUFReader, key: str) -> Any:
        found = reader.get_field(key)
        return None if found is None else found.contents()

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.tensors[name]

    def head(self) -> torch.Tensor:
        """The output matrix; small models share it with the embedding."""
        return self.tensors.get("output.weight", self.tensors["token_embd.weight"])


def _require_qwen2(path: Path, architecture: object) -> None:
    if architecture != "qwen2":
        raise SystemExit(f"{path}: its architecture is {architecture}, and only qwen2 is served")


def _gguf_name(name: str) -> str:
    """A tensor's name in GGUF by its name in a folder."""
    for word, other in _NAMES.items():
        name = name.replace(word, other)
    return name


_NAMES = {
    "model.layers.": "blk.",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "post_attention_layernorm": "ffn_norm",
    "input_layernorm": "attn_norm",
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
}
_NUMBERS = (
    "block_count",
    "embedding_length",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.layer_norm_rms_epsilon",
    "rope.freq_base",
)


# ---- model


class Model:
    """Qwen2 with a cache of keys and values by slot. All state that `decode` changes is in tensors that stay where they are."""

    def __init__(self, weights: Weights, *, slots: int, context: int, device: str, dtype: torch.dtype) -> None:
        self.w, self.slots, self.context, self.device = weights, slots, context, device
        w, shape = weights, (slots, weights.kv_heads, context, weights.head_dim)
        self.keys = [torch.zeros(shape, device=device, dtype=dtype) for _ in range(w.layers)]
        self.values = [torch.zeros(shape, device=device, dtype=dtype) for _ in range(w.layers)]
        exponents = torch.arange(0, w.head_dim, 2, dtype=torch.float64) / w.head_dim
        angles = torch.arange(context, dtype=torch.float64)[:, None] * w.rope_base**-exponents
        self.cos = torch.cat((angles.cos(), angles.cos()), 1).to(device=device, dtype=dtype)
        self.sin = torch.cat((-angles.sin(), angles.sin()), 1).to(device=device, dtype=dtype)
        self.token = torch.zeros(slots, dtype=torch.int64, device=device)
        self.position = torch.zeros(slots, dtype=torch.int64, device=device)
        self.temperature = torch.ones(slots, device=device)
        self.top_p = torch.ones(slots, device=device)
        self.decoded = torch.zeros(STEPS, slots, dtype=torch.int64, device=device)
        self.step = torch.zeros(1, dtype=torch.int64, device=device)
        self.row = torch.arange(slots, device=device)
        self.along = torch.arange(context, device=device)

    def decode(self, length: int) -> None:
        """One token more for every slot, attending to the first `length` positions at most."""
        w, x = self.w, F.embedding(self.token, self.w["token_embd.weight"])
        cos, sin = self.cos[self.position][:, None], self.sin[self.position][:, None]
        seen = (self.along[:length] <= self.position[:, None])[:, None, None]
        for layer in range(w.layers):
            q, k, v = self._projected(x, layer)
            self.keys[layer][self.row, :, self.position] = _turned(k, cos, sin)
            self.values[layer][self.row, :, self.position] = v
            # The query heads that share a head of keys stand as rows of one query.
            q = _turned(q, cos, sin).view(self.slots, w.kv_heads, -1, w.head_dim)
            kept = self.keys[layer][:, :, :length], self.values[layer][:, :, :length]
            o = F.scaled_dot_product_attention(q, *kept, attn_mask=seen.expand(-1, w.kv_heads, q.shape[2], -1))
            x = self._after_attention(x, o.reshape(self.slots, -1), layer)
        logits = F.linear(F.rms_norm(x, (w.hidden,), w["output_norm.weight"], w.eps), w.head()).float()
        new = _sampled(logits, self.temperature, self.top_p)
        self.decoded.index_copy_(0, self.step, new[None])
        self.token.copy_(new)
        self.position.add_(1).clamp_(max=self.context - 1)
        self.step.add_(1).remainder_(STEPS)

    def prefill(self, prompts: list[list[int]], slots: list[int]) -> None:
        """Keys and values of prompts into their slots. What lies past a shorter prompt's end is written over before it is seen."""
        w, longest = self.w, max(map(len, prompts))
        ids = torch.tensor([one + [0] * (longest - len(one)) for one in prompts], device=self.device)
        x, rows = F.embedding(ids, w["token_embd.weight"]), torch.tensor(slots, device=self.device)
        cos, sin = self.cos[:longest, None], self.sin[:longest, None]
        for layer in range(w.layers):
            q, k, v = self._projected(x, layer)
            q, k, v = (one.transpose(1, 2) for one in (_turned(q, cos, sin), _turned(k, cos, sin), v))
            self.keys[layer][rows, :, :longest], self.values[layer][rows, :, :longest] = k, v
            o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            x = self._after_attention(x, o.transpose(1, 2).reshape(len(prompts), longest, -1), layer)

    def _projected(self, x: torch.Tensor, layer: int) -> tuple[torch.Tensor, ...]:
        """Queries, keys and values, by head."""
        w, block = self.w, f"blk.{layer}"
        y = F.rms_norm(x, (w.hidden,), w[f"{block}.attn_norm.weight"], w.eps)
        parts = (
            F.linear(y, w[f"{block}.attn_{one}.weight"], w.tensors.get(f"{block}.attn_{one}.bias")) for one in "qkv"
        )
        return tuple(part.unflatten(-1, (-1, w.head_dim)) for part in parts)

    def _after_attention(self, x: torch.Tensor, o: torch.Tensor, layer: int) -> torch.Tensor:
        w, block = self.w, f"blk.{layer}"
        x = x + F.linear(o, w[f"{block}.attn_output.weight"])
        y = F.rms_norm(x, (w.hidden,), w[f"{block}.ffn_norm.weight"], w.eps)
        gated = F.silu(F.linear(y, w[f"{block}.ffn_gate.weight"])) * F.linear(y, w[f"{block}.ffn_up.weight"])
        return x + F.linear(gated, w[f"{block}.ffn_down.weight"])


def _turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary position embedding; `sin` carries the sign of the rotated half."""
    return x * cos + x.roll(x.shape[-1] // 2, -1) * sin


def _sampled(logits: torch.Tensor, temperature: torch.Tensor, top_p: torch.Tensor) -> torch.Tensor:
    """A token a row: the likeliest at temperature 0, else drawn by exponential races, which need no wait for the device."""
    likeliest, tokens = logits.topk(LIKELIEST, dim=-1)
    heat = temperature.clamp(min=1e-3)[:, None]
    share = torch.exp(likeliest / heat - torch.logsumexp(logits / heat, -1, keepdim=True))
    share = torch.where(share.cumsum(-1) - share < top_p[:, None], share, 0.0)
    drawn = (share / torch.empty_like(share).exponential_().clamp(min=1e-20)).argmax(-1)
    return tokens.gather(1, torch.where(temperature > 0, drawn, 0)[:, None])[:, 0]


class Decoder:
    """`Model.decode` as CUDA graphs, one for each length that is attended to; the plain function without a GPU."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lengths = [length for length in (768, 1536, 2304, 3072, 4096) if length < model.context] + [model.context]
        self.graphs: dict[int, torch.cuda.CUDAGraph] = {}
        if model.device == "cuda":
            for length in reversed(self.lengths):
                self.graphs[length] = self._captured(length)

    def _captured(self, length: int) -> "torch.cuda.CUDAGraph":
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.model.decode(length)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.model.decode(length)
        return graph

    def steps(self, furthest: int) -> list[list[int]]:
        """STEPS tokens for every slot; `furthest` is the highest position that any request has now."""
        length = next(one for one in self.lengths if one >= min(furthest + STEPS, self.model.context))
        for _ in range(STEPS):
            self.graphs[length].replay() if self.graphs else self.model.decode(length)
        return self.model.decoded.tolist()


# ---- requests


@dataclass(slots=True)
class Request:
    ids: list[int]
    temperature: float
    top_p: float
    most: int
    reply: list[int] = field(default_factory=list)
    finish: str = ""
    error: str = ""
    done: threading.Event = field(default_factory=threading.Event)


class Batcher:
    """One thread that owns the model: takes requests into free slots, decodes, hands out replies."""

    def __init__(self, decoder: Decoder, ends: set[int]) -> None:
        self.decoder, self.model, self.ends = decoder, decoder.model, ends
        self.waiting: queue.Queue[Request] = queue.Queue()
        self.active: dict[int, Request] = {}
        self.position: dict[int, int] = {}
        self.counts = {"requests": 0, "prompt_tokens": 0, "completion_tokens": 0, "busy_s": 0.0}

    def run(self) -> None:
        with torch.inference_mode():
            while True:
                started = time.monotonic()
                self._admit()
                self._decode()
                self.counts["busy_s"] += time.monotonic() - started

    def _admit(self) -> None:
        free = [slot for slot in range(self.model.slots) if slot not in self.active]
        new: list[Request] = []
        while len(new) < min(len(free), PREFILL_AT_ONCE):
            try:
                new.append(self.waiting.get(block=not self.active and not new))
            except queue.Empty:
                break
        if not new:
            return
        slots = free[: len(new)]
        # All but a prompt's last token; decoding takes that one.
        self.model.prefill([one.ids[:-1] or one.ids for one in new], slots)
        for slot, one in zip(slots, new, strict=True):
            self.active[slot], self.position[slot] = one, len(one.ids) - 1
            self.model.token[slot], self.model.position[slot] = one.ids[-1], len(one.ids) - 1
            self.model.temperature[slot], self.model.top_p[slot] = one.temperature, one.top_p

    def _decode(self) -> None:
        rows = self.decoder.steps(max(self.position.values()))
        for slot, one in list(self.active.items()):
            for row in rows:
                if row[slot] in self.ends:
                    one.finish = "stop"
                    break
                one.reply.append(row[slot])
                if len(one.reply) >= one.most:
                    one.finish = "length"
                    break
            self.position[slot] += STEPS
            if one.finish:
                del self.active[slot], self.position[slot]
                self.counts["requests"] += 1
                self.counts["prompt_tokens"] += len(one.ids)
                self.counts["completion_tokens"] += len(one.reply)
                one.done.set()
        if not self.active:
            return
        idle = [slot for slot in range(self.model.slots) if slot not in self.active]
        self.model.position[idle] = 0


class Handler(BaseHTTPRequestHandler):
    """`/v1/models` and `/v1/chat/completions`, whole replies alone."""

    batcher: Batcher
    tokenizer: Any
    lock = threading.Lock()  # the tokenizer is not safe to call from several threads
    name = ""

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        told = {**self.batcher.counts, "active": len(self.batcher.active), "waiting": self.batcher.waiting.qsize()}
        self._send(
            200,
            {"object": "list", "data": [{"id": self.name, "object": "model", "owned_by": "regrapht"}], "so_far": told},
        )

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
            request = self._request(body)
        except (ValueError, KeyError, TypeError) as error:
            self._send(
                400, {"error": {"message": f"cannot read the request: {error}", "type": "invalid_request_error"}}
            )
            return
        room = self.batcher.model.context - len(request.ids) - STEPS
        if room < request.most:
            asked = len(request.ids) + request.most
            message = f"this model's maximum context length is {self.batcher.model.context} tokens, and {asked} were asked for"
            self._send(
                400, {"error": {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"}}
            )
            return
        self.batcher.waiting.put(request)
        request.done.wait()
        with self.lock:
            text = self.tokenizer.decode(request.reply, skip_special_tokens=True)
        usage = {"prompt_tokens": len(request.ids), "completion_tokens": len(request.reply)}
        choice = {"index": 0, "finish_reason": request.finish, "message": {"role": "assistant", "content": text}}
        self._send(200, {"object": "chat.completion", "model": self.name, "choices": [choice], "usage": usage})

    def _request(self, body: dict[str, Any]) -> Request:
        messages = [{"role": one["role"], "content": one["content"]} for one in body["messages"]]
        begun = messages[-1]["role"] == "assistant"
        with self.lock:
            text = self.tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=not begun, continue_final_message=begun
            )
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        most = int(body.get("max_tokens") or body.get("max_completion_tokens") or 1024)
        temperature, top_p = body.get("temperature"), body.get("top_p")
        return Request(
            ids=ids,
            temperature=0.7 if temperature is None else float(temperature),
            top_p=0.95 if top_p is None else float(top_p),
            most=min(most, LONGEST_REPLY),
        )

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--name", default="model", help="what the model is called in requests")
    parser.add_argument("--slots", type=int, default=64, help="requests that are decoded together")
    parser.add_argument("--context", type=int, default=6144, help="tokens of prompt and reply together")
    parser.add_argument(
        "--tokenizer",
        type=Path,
        help="folder it was saved in; without it, it is made from the model's file, in half a minute",
    )
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    asked = parser.parse_args()
    started = time.monotonic()
    from transformers import AutoTokenizer

    if asked.tokenizer is not None:
        tokenizer = AutoTokenizer.from_pretrained(asked.tokenizer)
    elif asked.model.is_dir():
        tokenizer = AutoTokenizer.from_pretrained(asked.model)
    else:
        tokenizer = AutoTokenizer.from_pretrained(asked.model.parent, gguf_file=asked.model.name)
    print(f"tokenizer after {time.monotonic() - started:.1f} s", flush=True)
    dtype = torch.bfloat16 if asked.device == "cuda" else torch.float32
    with torch.inference_mode():
        weights = Weights(asked.model, asked.device, dtype)
        print(f"weights after {time.monotonic() - started:.1f} s", flush=True)
        model = Model(weights, slots=asked.slots, context=asked.context, device=asked.device, dtype=dtype)
        decoder = Decoder(model)
        model.position.zero_()
        model.step.zero_()
    named = (tokenizer.eos_token_id, *map(tokenizer.convert_tokens_to_ids, ("<|im_end|>", "<|endoftext|>")))
    Handler.batcher = Batcher(decoder, {one for one in named if isinstance(one, int)})
    Handler.tokenizer, Handler.name = tokenizer, asked.name
    threading.Thread(target=Handler.batcher.run, daemon=True).start()
    server = Server(("127.0.0.1", asked.port), Handler)
    where = torch.cuda.get_device_name() if asked.device == "cuda" else "the processor"
    print(f"ready after {time.monotonic() - started:.1f} s on {where}: http://127.0.0.1:{asked.port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
