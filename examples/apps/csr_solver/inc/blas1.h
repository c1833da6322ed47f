#pragma once
// Vectors as pointers and a length, as everybody knows them.

double dot(int n, const double* x, const double* y);
void axpy(int n, double alpha, const double* x, double* y);
void xpby(int n, const double* x, double beta, double* y);
void hadamard(int n, const double* x, const double* y, double* z);
double max_norm(int n, const double* x);
