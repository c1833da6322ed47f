#include <cstdint>

// One product with the stiffness matrix of a voxel mesh, never assembled: y = sum over elements of density * K u on their corners.
void voxel_stiffness(int elements, int nodes, const int32_t* corner, const float* density, const float* K, const float* u, float* y) {
    for (int v = 0; v < nodes; ++v) y[v] = 0.0f;
    for (int e = 0; e < elements; ++e) {
        const int32_t* at = corner + 8ll * e;
        for (int i = 0; i < 8; ++i) {
            float force = 0.0f;
            for (int j = 0; j < 8; ++j) force += K[8 * i + j] * u[at[j]];
            y[at[i]] += density[e] * force;
        }
    }
}
