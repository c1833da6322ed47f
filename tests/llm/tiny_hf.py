"""A folder of Hugging Face's format with a model of random weights: what it writes means nothing, how it is run and tuned does."""

from pathlib import Path

from regrapht.testing.tiny_gguf import TEMPLATE


def write_tiny_folder(place: Path, *, context: int = 2048, licence: str = "", kind: str = "Llama") -> Path:
    """The folder, written; `licence` is what its card tells, `kind` a name of transformers' such as Llama or Qwen2."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([*letters, "<|im_start|>", "<|im_end|>"])}
    tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<|im_start|>", eos_token="<|im_end|>", chat_template=TEMPLATE
    ).save_pretrained(place)
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=context,
        eos_token_id=words["<|im_end|>"],
        bos_token_id=words["<|im_start|>"],
    )
    getattr(transformers, f"{kind}ForCausalLM")(config).save_pretrained(place, safe_serialization=True)
    if licence:
        (place / "README.md").write_text(f"---\nlicense: {licence}\n---\nRandom weights.\n")
    return place
