#include <cstdint>

struct Track {
    double p, v;
    double pp, pv, vv;

    void predict(double dt, double q)
    {
        p += v * dt;
        pp += dt * (2 * pv + dt * vv) + q * dt * dt * dt / 3;
        pv += dt * vv + q * dt * dt / 2;
        vv += q * dt;
    }

    bool correct(double z, double r)
    {
        const double innovation = z - p;
        const double s = pp + r;
        if (innovation * innovation > 9 * s) return false;
        const double gain_p = pp / s;
        const double gain_v = pv / s;
        p += gain_p * innovation;
        v += gain_v * innovation;
        vv -= gain_v * pv;
        pv *= 1 - gain_p;
        pp *= 1 - gain_p;
        return true;
    }
};

void kalman_tracks(int tracks, double dt, double q, double r, const double* measured, const uint8_t* heard, double* place, double* speed,
                   double* cov, int32_t* lost)
{
    for (int i = 0; i < tracks; ++i) {
        Track t{place[i], speed[i], cov[3 * i], cov[3 * i + 1], cov[3 * i + 2]};
        t.predict(dt, q);
        if (!heard[i] || !t.correct(measured[i], r)) lost[i] += 1;
        place[i] = t.p;
        speed[i] = t.v;
        cov[3 * i] = t.pp;
        cov[3 * i + 1] = t.pv;
        cov[3 * i + 2] = t.vv;
    }
}
