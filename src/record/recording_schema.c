// recording_schema.c: the tables of a recording, as text that a file must match to the letter.

#include "record/recording_schema.h"

static const FrStoreTable tables[] = {
    {"meta", "CREATE TABLE meta(k TEXT PRIMARY KEY, v) WITHOUT ROWID", false},
    {"mesh",
     "CREATE TABLE mesh(hash INTEGER PRIMARY KEY, ord INTEGER, nodes INTEGER, corners INTEGER, "
     "tets INTEGER, regions INTEGER, opened INTEGER, z BLOB)",
     false},
    {"skin",
     "CREATE TABLE skin(hash INTEGER PRIMARY KEY, points INTEGER, tris INTEGER, normals INTEGER, "
     "uvs INTEGER, closings INTEGER, z BLOB)",
     false},
    {"bend", "CREATE TABLE bend(hash INTEGER PRIMARY KEY, modes INTEGER, nodes INTEGER, z BLOB)",
     false},
    {"material", "CREATE TABLE material(hash INTEGER PRIMARY KEY, json TEXT)", false},
    {"body",
     "CREATE TABLE body(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT, piece INTEGER, "
     "model TEXT, shape TEXT, mesh INTEGER, skin INTEGER, material INTEGER, born INTEGER, "
     "died INTEGER, posed INTEGER, radius REAL, nx REAL, ny REAL, nz REAL, \"offset\" REAL, "
     "deforms INTEGER, breaks INTEGER, bend INTEGER)",
     false},
    {"frame", "CREATE TABLE frame(tick INTEGER PRIMARY KEY, t REAL)", false},
    {"state",
     "CREATE TABLE state(tick INTEGER, body INTEGER, enc INTEGER, z BLOB, "
     "PRIMARY KEY(tick, body)) WITHOUT ROWID",
     false},
    {"field",
     "CREATE TABLE field(tick INTEGER, body INTEGER, load BLOB, strain INTEGER, "
     "warmth BLOB, PRIMARY KEY(tick, body)) WITHOUT ROWID",
     false},
    {"strain", "CREATE TABLE strain(hash INTEGER PRIMARY KEY, tets INTEGER, z BLOB)", false},
    {"topo",
     "CREATE TABLE topo(tick INTEGER, body INTEGER, cutlog BLOB, PRIMARY KEY(tick, body)) "
     "WITHOUT ROWID",
     false},
    {"burst", "CREATE TABLE burst(sample INTEGER PRIMARY KEY, tick INTEGER, t REAL)", false},
    {"burst_state",
     "CREATE TABLE burst_state(sample INTEGER, body INTEGER, enc INTEGER, nodes INTEGER, "
     "cuts INTEGER, z BLOB, load BLOB, PRIMARY KEY(sample, body)) WITHOUT ROWID",
     false},
    {"pose",
     "CREATE TABLE pose(body INTEGER, chunk INTEGER, hz REAL, first INTEGER, samples INTEGER, "
     "z BLOB, PRIMARY KEY(body, chunk)) WITHOUT ROWID",
     false},
    {"event",
     "CREATE TABLE event(seq INTEGER PRIMARY KEY, t REAL, kind INTEGER, a INTEGER, b INTEGER, "
     "x REAL, y REAL, z REAL, jx REAL, jy REAL, jz REAL, area REAL, blob BLOB)",
     false},
    {"energy",
     "CREATE TABLE energy(tick INTEGER PRIMARY KEY, kinetic REAL, elastic REAL, plastic REAL, "
     "damping REAL, contact REAL, fracture REAL, external REAL, dust REAL)",
     false},
    {"ending",
     "CREATE TABLE ending(tick INTEGER PRIMARY KEY, events INTEGER, poses INTEGER, size INTEGER, "
     "crc INTEGER, z BLOB)",
     false},
    {"checkpoint",
     "CREATE TABLE checkpoint(slot INTEGER PRIMARY KEY, tick INTEGER, events INTEGER, "
     "poses INTEGER, size INTEGER, crc INTEGER, z BLOB)",
     true},
    {"timing", "CREATE TABLE timing(stage TEXT PRIMARY KEY, s REAL) WITHOUT ROWID", true},
};

const FrStoreKind fr_record_kind = {
    .what = "recording",
    .application_id = 0x46524143, // "FRAC"
    .version = 10,
    .table = tables,
    .table_count = sizeof tables / sizeof tables[0],
};

const FrRecordCopy fr_record_copies[] = {
    {"SELECT k, CASE k WHEN 'state' THEN 'finished' ELSE v END FROM meta ORDER BY k",
     "INSERT INTO meta VALUES(?,?)"},
    {"SELECT * FROM mesh ORDER BY hash", "INSERT INTO mesh VALUES(?,?,?,?,?,?,?,?)"},
    {"SELECT * FROM skin ORDER BY hash", "INSERT INTO skin VALUES(?,?,?,?,?,?,?)"},
    {"SELECT * FROM bend ORDER BY hash", "INSERT INTO bend VALUES(?,?,?,?)"},
    {"SELECT * FROM material ORDER BY hash", "INSERT INTO material VALUES(?,?)"},
    {"SELECT * FROM body ORDER BY id",
     "INSERT INTO body VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    {"SELECT * FROM frame ORDER BY tick", "INSERT INTO frame VALUES(?,?)"},
    {"SELECT * FROM state ORDER BY tick, body", "INSERT INTO state VALUES(?,?,?,?)"},
    {"SELECT * FROM field ORDER BY tick, body", "INSERT INTO field VALUES(?,?,?,?,?)"},
    {"SELECT * FROM strain ORDER BY hash", "INSERT INTO strain VALUES(?,?,?)"},
    {"SELECT * FROM topo ORDER BY tick, body", "INSERT INTO topo VALUES(?,?,?)"},
    {"SELECT * FROM burst ORDER BY sample", "INSERT INTO burst VALUES(?,?,?)"},
    {"SELECT * FROM burst_state ORDER BY sample, body",
     "INSERT INTO burst_state VALUES(?,?,?,?,?,?,?)"},
    {"SELECT * FROM pose ORDER BY body, chunk", "INSERT INTO pose VALUES(?,?,?,?,?,?)"},
    {"SELECT * FROM event ORDER BY seq", "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    {"SELECT * FROM energy ORDER BY tick", "INSERT INTO energy VALUES(?,?,?,?,?,?,?,?,?)"},
    {"SELECT * FROM ending ORDER BY tick", "INSERT INTO ending VALUES(?,?,?,?,?,?)"},
};
const int32_t fr_record_copy_count = sizeof fr_record_copies / sizeof fr_record_copies[0];

const char *const fr_record_shapes[3] = {"tets", "sphere", "plane"};

FrResult fr_record_meta_real(FrStore *store, const char *key, double *value) {
    FrQuery query;
    FrCell cell = fr_cell_text(key);
    FrResult result = fr_query_begin(store, key, "SELECT v FROM meta WHERE k=?", &cell, 1, &query);
    if (result == FR_OK) result = fr_query_one(&query);
    if (result == FR_OK) result = fr_query_real(&query, 0, value);
    fr_query_end(&query);
    return result;
}
