// cuSPARSE's product of a CSR matrix and a dense one, set up in each call.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdint>
#include <cstdlib>

static void must(cusparseStatus_t status) {
    if (status != CUSPARSE_STATUS_SUCCESS) abort();
}

extern "C" void csr_times_dense(int rows, int cols, int entries, int width, const int32_t* row_start, const int32_t* column, const float* value,
                                const float* b, float* c) {
    static cusparseHandle_t handle = nullptr;
    if (!handle) must(cusparseCreate(&handle));
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t right, out;
    must(cusparseCreateCsr(&a, rows, cols, entries, const_cast<int32_t*>(row_start), const_cast<int32_t*>(column), const_cast<float*>(value),
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    must(cusparseCreateDnMat(&right, cols, width, width, const_cast<float*>(b), CUDA_R_32F, CUSPARSE_ORDER_ROW));
    must(cusparseCreateDnMat(&out, rows, width, width, c, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    const float one = 1.0f, zero = 0.0f;
    size_t bytes = 0;
    must(cusparseSpMM_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, right, &zero, out, CUDA_R_32F,
                                 CUSPARSE_SPMM_CSR_ALG2, &bytes));
    void* scratch = nullptr;
    cudaMallocAsync(&scratch, bytes + 16, 0);
    must(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, right, &zero, out, CUDA_R_32F,
                      CUSPARSE_SPMM_CSR_ALG2, scratch));
    cudaFreeAsync(scratch, 0);
    cusparseDestroySpMat(a);
    cusparseDestroyDnMat(right);
    cusparseDestroyDnMat(out);
}
