#include "market.hpp"

#include <cmath>

namespace pricing {

Simulation::Simulation(const Market& m, const Contract& c, int count)
    : terminal(count), average(count), highest(count), market(m), contract(c) {}

void Simulation::run(std::uint64_t seed) {
    const double dt = contract.years / contract.dates;
    const double drift = (market.rate - 0.5 * market.volatility * market.volatility) * dt;
    const double scale = market.volatility * std::sqrt(dt);
    const double start = std::log(market.spot);
    const int dates = contract.dates;
    const int count = paths();

    for (int path = 0; path < count; ++path) {
        double x = start;
        double sum = 0.0;
        double top = market.spot;
        for (int date = 0; date < dates; ++date) {
            // Box and Muller, one normal a date.
            const double u = uniform(seed + path, 2 * date) + 1e-300;
            const double v = uniform(seed + path, 2 * date + 1);
            const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
            x += drift + scale * normal;
            const double price = std::exp(x);
            sum += price;
            top = price > top ? price : top;
        }
        terminal[path] = std::exp(x);
        average[path] = sum / dates;
        highest[path] = top;
    }
}

}  // namespace pricing
