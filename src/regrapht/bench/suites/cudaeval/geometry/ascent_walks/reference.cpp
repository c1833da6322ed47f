#include <cstdint>
#include <cstring>

struct Mesh {
    const int32_t (*neighbour)[3];
    const int32_t *height;
};

static int highest(const Mesh *mesh, int t)
{
    const int32_t *near = mesh->neighbour[t];
    int best = near[0];
    if (mesh->height[near[1]] > mesh->height[best]) best = near[1];
    if (mesh->height[near[2]] > mesh->height[best]) best = near[2];
    return best;
}

void ascent_walks(int triangles, int walkers, int most, const int32_t *neighbour, const int32_t *height, const int32_t *start, int32_t *ends,
                  int32_t *moves, int32_t *visits)
{
    const Mesh mesh = {(const int32_t (*)[3])neighbour, height};
    memset(visits, 0, sizeof(int32_t) * triangles);
    for (int w = 0; w < walkers; w++) {
        int at = start[w], count = 0;
        while (count < most) {
            const int next = highest(&mesh, at);
            if (height[next] <= height[at]) break;
            at = next;
            count++;
        }
        ends[w] = at;
        moves[w] = count;
        visits[at]++;
    }
}
