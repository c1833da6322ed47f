#include <cstdint>

struct Reader {
    const float* frame;
    int classes;

    // The class of the present frame; the reader moves on to the next one.
    int next() {
        int best = 0;
        for (int c = 1; c < classes; ++c)
            if (frame[c] > frame[best]) best = c;
        frame += classes;
        return best;
    }
};

// Best class of each frame, repetitions merged, blanks dropped.
void ctc_collapse(int sequences, int frames, int classes, const float* score, int32_t* label, int32_t* length) {
    for (int s = 0; s < sequences; ++s) {
        Reader reader = {score + (int64_t)s * frames * classes, classes};
        int32_t* const out = label + (int64_t)s * frames;
        int written = 0, before = 0;
        for (int t = 0; t < frames; ++t) {
            const int now = reader.next();
            if (now != before && now != 0) out[written++] = now;
            before = now;
        }
        length[s] = written;
        while (written < frames) out[written++] = -1;
    }
}
