// task: affine
// row: fault
// expect: UNPARSABLE
// level: screen
// Another function than the one asked for.
extern "C" void other(int n) {}
