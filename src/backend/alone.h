// alone.h: what the libraries below us share with the process, held still while we compute.
#pragma once

/// One thread at a time: METIS draws from rand() and traps signals of the process.
void fr_ordering_begin(void);
void fr_ordering_end(void);

/// From here to fr_team_end OpenMP makes no teams for the calling thread: CHOLMOD's are of four,
/// whatever the context's workers are. Gives what fr_team_end sets back.
int fr_team_begin(void);
void fr_team_end(int levels);
