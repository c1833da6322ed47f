#include <cmath>
#include <cstdint>

enum BusKind : uint8_t { kLoad = 0, kGenerator = 1, kSlack = 2 };

void power_flow_rows(int buses, int entries, const int32_t* row_start, const int32_t* column, const double* g, const double* b, const double* volt,
                     const double* theta, const double* p, const double* q, const uint8_t* kind, double* dp, double* dq, double* worst) {
  (void)entries;
  *worst = 0.0;
  for (int i = 0; i < buses; ++i) {
    double active = 0.0, reactive = 0.0;
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const int j = column[k];
      const double angle = theta[i] - theta[j];
      active += volt[j] * (g[k] * std::cos(angle) + b[k] * std::sin(angle));
      reactive += volt[j] * (g[k] * std::sin(angle) - b[k] * std::cos(angle));
    }
    dp[i] = kind[i] == kSlack ? 0.0 : p[i] - volt[i] * active;
    dq[i] = kind[i] == kLoad ? q[i] - volt[i] * reactive : 0.0;
    *worst = std::fmax(*worst, std::fmax(std::fabs(dp[i]), std::fabs(dq[i])));
  }
}
