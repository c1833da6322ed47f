"""How long prompts and replies may be where the model is slow: what is nice to know is left out where it would be read for minutes."""

import logging
import threading

from regrapht.llm.client import LanguageModel
from regrapht.llm.hearing import Speed

READ_S = 60.0
"""A prompt is kept to what is read in this time, as far as there is anything to leave out of it."""
WRITE_S = 150.0
LEAST_REPLY = 768
"""Tokens that a kernel with its launcher may need, however slowly they come."""

_log = logging.getLogger(__name__)


class Pace:
    """Limits from the speed that the model last had, for models that tell it.

    Args:
        page: Whether prompts are shortened; not where the user chose the context.
        reply: Whether replies are; not where the user chose their length.
    """

    def __init__(self, model: LanguageModel, *, page: bool = True, reply: bool = True) -> None:
        self._model, self._page, self._reply = model, page, reply
        self._said = False
        self._lock = threading.Lock()

    @property
    def keeps_what_it_reads(self) -> bool:
        """Whether the model keeps what it has read of a prompt for the next one that begins alike, so that these may be made to."""
        return self._page and bool(getattr(self._model, "keeps_what_it_reads", False))

    def page_tokens(self) -> int | None:
        """About how many tokens a prompt should have at most; None for no limit."""
        speed = self._speed()
        return None if speed is None or speed.reading is None or not self._page else int(READ_S * speed.reading)

    def reply_tokens(self, longest: int) -> int:
        """The longest reply, where `longest` is what was chosen before anything was known."""
        speed = self._speed()
        if speed is None or speed.writing is None or not self._reply:
            return longest
        return min(longest, max(LEAST_REPLY, int(WRITE_S * speed.writing)))

    def tell(self, longest: int, context: int | None) -> None:
        """Say once what the limits are, where the speed makes any of them shorter than what is possible."""
        speed, page, reply = self._speed(), self.page_tokens(), self.reply_tokens(longest)
        shorter = []
        if page is not None and page < (context or page + 1):
            shorter.append(
                f"what a prompt can do without (exemplars, earlier attempts) is left out beyond about {page} tokens, though task and "
                "program alone may be longer (--context-tokens)"
            )
        if reply < longest:
            shorter.append(f"a reply ends after {reply} tokens (--max-tokens)")
        with self._lock:
            if self._said or speed is None or not shorter:
                return
            self._said = True
        rates = [f"reads {speed.reading:.0f}"] if speed.reading is not None else []
        rates += [f"writes {speed.writing:.0f}"] if speed.writing is not None else []
        _log.info(
            "the model %s tokens a second here, so that less is asked of it: %s",
            " and ".join(rates),
            "; ".join(shorter),
        )

    def _speed(self) -> Speed | None:
        return getattr(self._model, "speed", None)
