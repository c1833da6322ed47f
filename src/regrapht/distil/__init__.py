"""Tuning a small model on verified pairs: what a model is asked at run time, with a reply that the judge has accepted.

| file | what |
|---|---|
| `families/` | functions drawn by seed: kinds of loops in many names, types and styles |
| `asked.py` | a proposal and a right program to a pair: the product's own prompt, and the reply that comes to that program |
| `faults.py` | faults planted in right programs, for repairs |
| `item.py`, `written.py` | one drawn function, or one written trajectory, to its judged pairs |
| `kept_out.py` | the functions that methods are evaluated on, and what is nearly one of them |
| `pair.py`, `gathering.py` | the file of pairs; how it is filled, and gone on with |
| `training/` | LoRA on a local model, preferences, export |
"""
