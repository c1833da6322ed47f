#include "align.h"

namespace sw {

static unsigned next(unsigned& state) {
  state = state * 1103515245u + 12345u;
  return state >> 16;
}

Sequences random_sequences(int count, int length, unsigned seed) {
  Sequences made{count, length, std::vector<int>(count * length)};
  for (int& letter : made.letters) letter = next(seed) & 3;
  return made;
}

/* A copy with every `one_in`-th letter or so changed, and a gap in the middle of each. */
Sequences mutated(const Sequences& of, int one_in, unsigned seed) {
  Sequences made = of;
  for (int s = 0; s < of.count; ++s) {
    const int gap = of.length / 3 + static_cast<int>(next(seed) % 7);
    for (int i = 0; i < of.length; ++i) {
      const int from = i < gap ? i : (i + 2 < of.length ? i + 2 : i);
      int letter = of.letters[s * of.length + from];
      if (next(seed) % one_in == 0) letter = (letter + 1 + next(seed) % 3) & 3;
      made.letters[s * of.length + i] = letter;
    }
  }
  return made;
}

}  // namespace sw
