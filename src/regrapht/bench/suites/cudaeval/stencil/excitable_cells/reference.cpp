#include <cstdint>
#include <vector>

void excitable_cells(int rows, int cols, int steps, int32_t stages, int32_t excited, int32_t need, uint8_t* state, int32_t* waking)
{
    std::vector<uint8_t> next((std::size_t)rows * cols);
    for (int s = 0; s < steps; ++s) {
        waking[s] = 0;
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < cols; ++c) {
                const int own = state[r * cols + c];
                if (own) {
                    next[r * cols + c] = (uint8_t)(own + 1 < stages ? own + 1 : 0);
                    continue;
                }
                int around = 0;
                for (int k = 0; k < 9; ++k) {
                    const int v = (r + k / 3 - 1 + rows) % rows, u = (c + k % 3 - 1 + cols) % cols, other = state[v * cols + u];
                    around += k != 4 && other >= 1 && other <= excited;
                }
                next[r * cols + c] = around >= need;
                waking[s] += around >= need;
            }
        }
        for (std::size_t i = 0; i < next.size(); ++i) state[i] = next[i];
    }
}
