"""LoRA on a local model. Needs the extra `distil`.

`model_source` is what is tuned and whether it may be, `examples` its batches, `memory` whether they fit, `fitting` the loop with
completions, `preferring` the one with preferences, `exporting` what comes out.
"""
