"""Talking to a language model. `specs.model` opens one; `client.LanguageModel` is what every one of them promises."""
