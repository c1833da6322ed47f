"""From a candidate's text to an object: where a text or an object is refused, the compilers, and the judge's own programs."""
