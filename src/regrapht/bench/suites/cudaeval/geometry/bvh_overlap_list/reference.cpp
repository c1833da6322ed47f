struct Node {
    float low_x, low_y, low_z;
    float gap_x, gap_y, gap_z;  // from the upper corner to (1, 1, 1)
};

struct Query {
    float x, y, z, r;
};

static bool touches(const Node& n, const Query& q) {
    return q.x + q.r >= n.low_x && q.x - q.r <= 1.0f - n.gap_x && q.y + q.r >= n.low_y && q.y - q.r <= 1.0f - n.gap_y &&
           q.z + q.r >= n.low_z && q.z - q.r <= 1.0f - n.gap_z;
}

void bvh_overlap_list(int nodes, int queries, const Node* node, const Query* query, int* touching, int* found) {
    for (int q = 0; q < queries; ++q) {
        int* list = touching + 16l * q;
        int stack[64];
        int depth = 0, count = 0;
        // Half widths are given in eighths of the scene.
        Query cube = query[q];
        cube.r *= 0.125f;
        stack[depth++] = 0;
        while (depth > 0 && count < 16) {
            int i = stack[--depth];
            if (!touches(node[i], cube)) continue;
            if (2l * i + 1 >= nodes) {
                list[count++] = i;
                continue;
            }
            if (2l * i + 2 < nodes) stack[depth++] = 2 * i + 2;
            stack[depth++] = 2 * i + 1;
        }
        found[q] = count;
        while (count < 16) list[count++] = -1;
    }
}
