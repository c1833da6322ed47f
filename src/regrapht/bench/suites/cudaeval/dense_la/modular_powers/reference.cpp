#include <cstdint>

using Wide = unsigned __int128;

void modular_powers(int n, uint64_t modulus, const uint64_t* base, const uint32_t* exponent, uint64_t* power)
{
    for (int i = 0; i < n; ++i) {
        Wide square = base[i] % modulus, result = 1;
        for (uint32_t e = exponent[i]; e; e >>= 1) {
            if (e & 1) result = result * square % modulus;
            square = square * square % modulus;
        }
        power[i] = (uint64_t)result;
    }
}
