// How alike each pair of people is: products of their allele dosages, and at how many sites both are known.
#include <cstddef>
#include <cstdint>

void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    for (int i = 0; i < people; ++i) {
        for (int j = 0; j <= i; ++j) {
            const int8_t *a = dosage + (size_t)i * sites, *b = dosage + (size_t)j * sites;
            int32_t sum = 0, known = 0;
            for (int s = 0; s < sites; ++s) {
                const bool seen = a[s] >= 0 && b[s] >= 0;
                sum += seen ? a[s] * b[s] : 0;
                known += seen;
            }
            product[(size_t)i * people + j] = product[(size_t)j * people + i] = sum;
            both[(size_t)i * people + j] = both[(size_t)j * people + i] = known;
        }
    }
}
