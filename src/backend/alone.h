// alone.h: what the libraries below us share with the process, held still while we compute.
#pragma once

/// What fr_blas_begin found, for fr_blas_end.
typedef struct FrBlasBefore {
    int threads, levels; ///< of teams that the calling thread may make
} FrBlasBefore;

/// From here to fr_blas_end BLAS and CHOLMOD run on the calling thread alone: bits depend on how
/// many share a product. Other threads keep their settings. Nests; each thread begins for itself.
FrBlasBefore fr_blas_begin(void);
/// Gives the calling thread what it had.
void fr_blas_end(FrBlasBefore before);

/// One thread at a time: METIS draws from rand() and traps signals of the process.
void fr_ordering_begin(void);
void fr_ordering_end(void);
