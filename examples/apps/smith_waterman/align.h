/* Local alignment of many pairs of sequences after Smith and Waterman, with affine gaps. */
#pragma once

#include <string>
#include <vector>

namespace sw {

struct Scoring {
  int match = 5;
  int mismatch = -4;
  int open = 8;
  int extend = 2;
};

/* Letters of all sequences behind each other, as numbers from 0 to 3; every sequence has the same length. */
struct Sequences {
  int count;
  int length;
  std::vector<int> letters;
};

Sequences random_sequences(int count, int length, unsigned seed);
Sequences mutated(const Sequences& of, int one_in, unsigned seed);

/* The best score of each pair, query i with target i. */
void align_pairs(const Sequences& queries, const Sequences& targets, const Scoring& s, int band, std::vector<int>& best);

/* Letters that are equal, pair by pair. */
void identities(const Sequences& queries, const Sequences& targets, std::vector<int>& equal);

/* How often each word of three letters comes in all sequences. */
void count_words(const Sequences& sequences, std::vector<int>& counts);

int highest(const std::vector<int>& scores);
long long total(const std::vector<int>& scores);
int above(const std::vector<int>& scores, int threshold);

}  // namespace sw
