struct Atom {
    double x, y, z;
    int kind;
};

// Potential energy of each atom from all others within the cutoff, with periodic images in a cube; only
// atoms whose kinds agree in the lowest bit interact.
void lennard_jones(int n, double box, double cutoff, const Atom* atoms, double* energy) {
    const double half = 0.5 * box;
    for (int i = 0; i < n; i++) {
        double e = 0.0;
        for (int j = 0; j < n; j++) {
            if (j == i || (atoms[i].kind & 1) != (atoms[j].kind & 1)) continue;
            double dx = atoms[i].x - atoms[j].x, dy = atoms[i].y - atoms[j].y, dz = atoms[i].z - atoms[j].z;
            if (dx > half) dx -= box; else if (dx < -half) dx += box;
            if (dy > half) dy -= box; else if (dy < -half) dy += box;
            if (dz > half) dz -= box; else if (dz < -half) dz += box;
            const double r2 = dx * dx + dy * dy + dz * dz + 0.25;
            if (r2 >= cutoff * cutoff) continue;
            const double s6 = 1.0 / (r2 * r2 * r2);
            e += 2.0 * (s6 * s6 - s6);
        }
        energy[i] = e;
    }
}
