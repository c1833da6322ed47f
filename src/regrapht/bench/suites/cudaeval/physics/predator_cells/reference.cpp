#include <algorithm>

struct Rate { float growth, room, eat, gain, die; };
struct State {
    float u, v;
    State plus(const State& slope, float by) const { return {u + slope.u * by, v + slope.v * by}; }
};

static State slope(const Rate& r, const State& s)
{
    const float met = s.u * s.v / (1 + s.u);
    return {r.growth * s.u * (1 - s.u / r.room) - r.eat * met, r.gain * met - r.die * s.v};
}

void predator_cells(int cells, int steps, float dt, const Rate* rate, State* state, float* peak)
{
    std::fill_n(peak, cells, 0.0f);
    for (int step = 0; step < steps; ++step) {
        for (int c = 0; c < cells; ++c) {
            const Rate& r = rate[c];
            State& s = state[c];
            const State a = slope(r, s), b = slope(r, s.plus(a, dt / 2)), d = slope(r, s.plus(b, dt / 2)), e = slope(r, s.plus(d, dt));
            s = s.plus({a.u + 2 * (b.u + d.u) + e.u, a.v + 2 * (b.v + d.v) + e.v}, dt / 6);
            peak[c] = std::max(peak[c], s.v);
        }
    }
}
