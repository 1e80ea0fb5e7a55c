// event.c: the event log keeps order, hashes what matters, and comes back from bytes.

#include "test.h"
#include "context.h"
#include "base/random.h"
#include "event/log.h"

static FrEvent sample(int k) {
    FrEvent e;
    memset(&e, k * 37, sizeof e); // padding and unused members differ on purpose
    e.t = 0.25 * k;
    e.kind = (uint32_t)(1 + k % 8);
    e.a.index1 = k + 1, e.b.index1 = 0, e.piece = 3;
    FrPoint p = {k, {0.1, 0.2, 0.3, 0.4}};
    FrVec3 v = {1.0 + k, -2.0, 3.5};
    if (e.kind == FR_EVENT_IMPACT) {
        e.u.impact.pa = e.u.impact.pb = p;
        e.u.impact.x = e.u.impact.n = e.u.impact.impulse = v;
        e.u.impact.v_n = e.u.impact.v_t = e.u.impact.duration = e.u.impact.area = 1e-3;
        e.u.impact.contact = 77;
    } else if (e.kind == FR_EVENT_CRACK) {
        e.u.crack.x = e.u.crack.n = v;
        e.u.crack.strength = e.u.crack.limit = e.u.crack.area = e.u.crack.energy = 2.0;
    } else if (e.kind == FR_EVENT_PIECE) {
        e.u.piece.parent = 1;
        e.u.piece.mass = e.u.piece.volume = 4.0;
        e.u.piece.centre = v;
        e.u.piece.inertia = (FrSym3){1, 2, 3, 4, 5, 6};
        e.u.piece.mesh = 5;
    } else if (e.kind == FR_EVENT_CONTACT) {
        e.u.contact.pa = e.u.contact.pb = p;
        e.u.contact.x = e.u.contact.n = e.u.contact.force = v;
        e.u.contact.slip = e.u.contact.roll = v;
        e.u.contact.span = 4e-3;
        e.u.contact.contact = 78;
    } else if (e.kind == FR_EVENT_DUST) {
        e.u.dust.mass = e.u.dust.energy = 0.5;
        e.u.dust.momentum = e.u.dust.centre = v;
    } else {
        e.u.release.p = p;
        e.u.release.impulse = v;
        e.u.release.other.index1 = 3;
    }
    return e;
}

static FrResult add(FrEventLog *log, FrEvent event) {
    event.seq = log->next_seq;
    return fr_event_log_put(log, &event);
}

TEST(seq_counts_and_padding_does_not_matter) {
    FrContext *ctx = make_context(1);
    FrEventLog a, b;
    fr_event_log_init(&a, ctx), fr_event_log_init(&b, ctx);
    for (int k = 0; k < 9; k++) {
        FrEvent e = sample(k), noisy;
        CHECK_OK(ctx, add(&a, e));
        // the same fields over other garbage: through bytes and back gives zeroed padding
        FrWriter w;
        fr_writer_init(&w, ctx);
        fr_event_save(&e, &w);
        FrReader r;
        fr_reader_init(&r, w.data, w.size);
        CHECK_OK(ctx, fr_event_load(ctx, &r, &noisy));
        CHECK_OK(ctx, add(&b, noisy));
        fr_writer_free(&w);
        CHECK_INT(a.data[k].seq, k);
    }
    CHECK(fr_event_log_hash(&a) == fr_event_log_hash(&b));
    b.data[3].a.index1++;
    CHECK(fr_event_log_hash(&a) != fr_event_log_hash(&b));
    fr_event_log_clear(&a);
    FrEvent e = sample(1);
    CHECK_OK(ctx, add(&a, e));
    CHECK_INT(a.data[0].seq, 9);
    CHECK_INT(fr_event_log_put(&a, &a.data[0]), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "out of order");
    fr_event_log_free(&a), fr_event_log_free(&b);
    fr_context_destroy(ctx);
}

static uint64_t hash_of(const FrEvent *event) {
    FrHash hash;
    fr_hash_begin(&hash, 0);
    fr_event_hash(event, &hash);
    return fr_hash_end(&hash);
}

// the hash of one event: what happened counts, its number and unused bytes do not
TEST(an_event_hash_is_of_what_happened) {
    for (int k = 0; k < 12; k++) {
        FrEvent e = sample(k), other = sample(k);
        other.seq = e.seq + 5;
        CHECK(hash_of(&e) == hash_of(&other));
        other.t += 1e-9;
        CHECK(hash_of(&e) != hash_of(&other));
        other = e, other.a.index1 += 3;
        CHECK(hash_of(&e) != hash_of(&other));
        CHECK(k == 0 || hash_of(&e) != (other = sample(k - 1), hash_of(&other)));
    }
    FrEvent e = sample(1), other = e;
    other.u.crack.strength = 2.5;
    CHECK(hash_of(&e) != hash_of(&other));
}

TEST(bytes_come_back_and_mutations_are_refused_or_loaded) {
    FrContext *ctx = make_context(1);
    FrRandom random = fr_random_for(1, "event-mutation", 0);
    for (int k = 0; k < 12; k++) {
        FrEvent e = sample(k), back;
        FrWriter w;
        FrReader r;
        fr_writer_init(&w, ctx);
        fr_event_save(&e, &w);
        fr_reader_init(&r, w.data, w.size);
        CHECK_OK(ctx, fr_event_load(ctx, &r, &back));
        CHECK(back.kind == e.kind && back.t == e.t && fr_reader_left(&r) == 0);
        for (size_t cut = 0; cut < w.size; cut++) {
            fr_reader_init(&r, w.data, cut);
            CHECK_INT(fr_event_load(ctx, &r, &back), FR_BAD_INPUT);
        }
        for (int round = 0; round < 200; round++) {
            size_t at = fr_random_u32(&random) % w.size;
            uint8_t old = w.data[at];
            w.data[at] = (uint8_t)fr_random_u32(&random);
            fr_reader_init(&r, w.data, w.size);
            FrResult result = fr_event_load(ctx, &r, &back);
            CHECK(result == FR_OK || result == FR_BAD_INPUT);
            w.data[at] = old;
        }
        fr_writer_free(&w);
    }
    fr_context_destroy(ctx);
}

TEST(summary_says_where_and_how_much) {
    FrEvent e = sample(0);
    FrVec3 x, j;
    double area;
    fr_event_summary(&e, &x, &j, &area);
    CHECK(x.x == 1.0 && j.z == 3.5 && area == 1e-3);
    e = sample(4); // what a force does over the span of its sample
    fr_event_summary(&e, &x, &j, &area);
    CHECK(x.x == 5.0 && j.z == 4e-3 * 3.5 && area == 0.0);
    e = fr_event_of_piece(FR_EVENT_PIECE, 0.0, (FrBodyId){3}, 7);
    CHECK_INT(fr_event_other(&e), -1);
    CHECK_INT(fr_event_piece(&e), 7);
    e = fr_event_new(FR_EVENT_IMPACT, 0.0, (FrBodyId){3}, (FrBodyId){8});
    CHECK_INT(fr_event_other(&e), 7);
    CHECK_INT(fr_event_piece(&e), -1);
    CHECK_TEXT(fr_event_kind_name(FR_EVENT_CRACK), "crack");
    CHECK_TEXT(fr_event_kind_name(FR_EVENT_CONTACT), "contact");
    CHECK_TEXT(fr_event_kind_name(99), "?");
}
