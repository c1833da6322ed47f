#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

using Vector = std::array<int8_t, 16>;

static int32_t apart(const Vector& a, const Vector& b) {
    int32_t sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const int32_t difference = a[k] - b[k];
        sum += difference * difference;
    }
    return sum;
}

void codebook_encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    const auto* codewords = reinterpret_cast<const Vector*>(codebook);
    const auto* vectors = reinterpret_cast<const Vector*>(vector);
    for (int i = 0; i < n; ++i) {
        error[i] = std::numeric_limits<int32_t>::max();
        for (int c = 0; c < 256; ++c) {
            const int32_t distance = apart(vectors[i], codewords[c]);
            if (distance >= error[i]) continue;
            error[i] = distance;
            code[i] = (uint8_t)c;
        }
    }
}
