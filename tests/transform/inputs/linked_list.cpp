// shape: next = n
// check: n=1
// init: next = ints(0, 1)
int linked_list(int n, const int* next) {
    int at = 0, steps = 0;
    while (next[at] != 0) {
        at = next[at];
        steps++;
    }
    return steps;
}
