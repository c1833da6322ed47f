// shape: u = ny * nx
// shape: next = ny * nx
// check: nx=3,ny=3; nx=35,ny=20; nx=2,ny=7
typedef float real;

void heat_step(int nx, int ny, real alpha, const real* u, real* next) {
    for (int j = 1; j < ny - 1; j++) {
        for (int i = 1; i < nx - 1; i++) {
            const int c = j * nx + i;
            real lap = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4.0f * u[c];
            next[c] = u[c] + alpha * 0.1f * lap;
        }
    }
}
