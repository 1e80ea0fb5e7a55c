// alone.h: what the libraries below us keep once a process, held still while we compute.
#pragma once

/// From here to fr_blas_end BLAS runs on the calling thread alone, in all threads of the process:
/// its bits depend on how many share a product. Nests, and may be begun by several threads at once.
void fr_blas_begin(void);
/// The last end gives the process back the number of BLAS threads it had.
void fr_blas_end(void);

/// One thread at a time: METIS draws from rand() and traps signals of the process.
void fr_ordering_begin(void);
void fr_ordering_end(void);
