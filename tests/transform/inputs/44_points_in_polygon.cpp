// Which points lie inside of a closed polygon, by the parity of crossings to their right; corners are whole numbers on a map grid.
void points_in_polygon(int points, int corners, const int* px, const int* py, const int* cx, const int* cy, unsigned char* inside) {
    for (int p = 0; p < points; p++) {
        int odd = 0;
        for (int i = 0, j = corners - 1; i < corners; j = i++) {
            if ((cy[i] > py[p]) == (cy[j] > py[p])) continue;
            const long long side = (long long)(cx[j] - cx[i]) * (py[p] - cy[i]) - (long long)(px[p] - cx[i]) * (cy[j] - cy[i]);
            if (cy[j] > cy[i] ? side > 0 : side < 0) odd = !odd;
        }
        inside[p] = (unsigned char)odd;
    }
}
