#include <cmath>
#include <cstdint>
#include <vector>

struct Partial {
    float state[4];
};

static void follow_branch(const float* matrix, const Partial& below, float* above) {
    for (int i = 0; i < 4; ++i) {
        above[i] = 0.0f;
        for (int j = 0; j < 4; ++j) above[i] += matrix[4 * i + j] * below.state[j];
    }
}

// Log likelihood of each site of an alignment under a tree, by Felsenstein's pruning.
void tree_likelihood(int leaves, int sites, const uint8_t* base, const int32_t* join, const float* matrix, float* likelihood) {
    std::vector<Partial> lineage(leaves);
    for (int s = 0; s < sites; ++s) {
        for (int leaf = 0; leaf < leaves; ++leaf) {
            const int seen = base[(int64_t)leaf * sites + s];
            for (int i = 0; i < 4; ++i) lineage[leaf].state[i] = seen == 4 || seen == i ? 1.0f : 0.0f;
        }
        int halvings = 0;
        for (int last = leaves - 1; last > 0; --last) {
            const int k = leaves - 1 - last;
            Partial& kept = lineage[join[k] % last];
            float left[4], right[4], highest = 0.0f;
            follow_branch(matrix + 32 * k, kept, left);
            follow_branch(matrix + 32 * k + 16, lineage[last], right);
            for (int i = 0; i < 4; ++i) {
                kept.state[i] = left[i] * right[i];
                if (kept.state[i] > highest) highest = kept.state[i];
            }
            while (highest < 0.0009765625f) {
                highest *= 1024.0f;
                halvings += 10;
                for (int i = 0; i < 4; ++i) kept.state[i] *= 1024.0f;
            }
        }
        const float* root = lineage[0].state;
        likelihood[s] = std::log(0.25f * (root[0] + root[1] + root[2] + root[3])) - 0.69314718f * halvings;
    }
}
