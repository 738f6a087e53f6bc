// The rows of the litmus table, grouped by what they are about.
#include "table.hpp"

namespace heddle::litmus {

namespace {

using enum Expected;

// Store buffering: what only seq_cst forbids. Each thread needs two seq_cst
// accesses or a seq_cst fence between them; the two may be mixed.
std::vector<Shape> store_buffering() {
  return {
      {"SB",
       "store x 1 $1; $2; load y $3 || store y 1 $4; $5; load x $6",
       "0|0",
       forbidden,
       {{"rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,-,acq,rel,-,acq", allowed},
        {"sc,-,acq,sc,-,acq", allowed},
        {"rel,-,sc,rel,-,sc", allowed},
        {"sc,-,sc,rel,-,acq", allowed},
        {"sc,-,sc,sc,-,acq", allowed},
        {"sc,-,sc,rel,-,sc", allowed},
        {"sc,-,sc,sc,-,sc", forbidden},
        {"rlx,fence acq_rel,rlx,rlx,fence acq_rel,rlx", allowed},
        {"rel,fence acq_rel,acq,rel,fence acq_rel,acq", allowed},
        {"rlx,fence sc,rlx,rlx,-,rlx", allowed},
        {"rlx,fence sc,rlx,rlx,fence acq_rel,rlx", allowed},
        {"rlx,fence sc,rlx,sc,-,acq", allowed},
        {"rlx,fence sc,rlx,sc,-,sc", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
      {"SB with exchange",
       "xchg x 1 $1; load y $2 || xchg y 1 $3; load x $4",
       "0,0|0,0",
       forbidden,
       {{"rlx,rlx,rlx,rlx", allowed},
        {"acq_rel,acq,acq_rel,acq", allowed},
        {"sc,acq,sc,acq", allowed},
        {"sc,sc,sc,acq", allowed},
        {"sc,sc,sc,sc", forbidden}}},
      // Reading the other's location by a read-modify-write orders the two: one of them reads last.
      {"SB by read-modify-writes",
       "store x 1 $1; add y 0 $2 || store y 1 $1; add x 0 $2",
       "0|0",
       forbidden,
       {{"rlx,rlx", allowed},
        {"rel,acq_rel", allowed},
        {"sc,acq_rel", allowed},
        {"sc,sc", forbidden}}},
  };
}

// The same with a third thread in between, or with writes in place of reads.
std::vector<Shape> store_buffering_relatives() {
  return {
      // The relaxed message x orders the fences although it does not synchronise: psc_F goes
      // through
      // the reads-from edge itself.
      {"fences around a relaxed message",
       "store y 1 rlx; $1; store z 1 $2 || load z $3; store x 1 rlx || load x rlx; store z 2 $2 || "
       "load z $3; $1; load y rlx",
       "|1|1|2,0",
       forbidden,
       {{"fence sc,rel,acq", forbidden},
        {"fence acq_rel,rel,acq", allowed},
        {"-,rel,acq", allowed},
        {"fence sc,rlx,acq", allowed},
        {"fence sc,rel,rlx", allowed}}},
      {"RWC",
       "store x 1 $1 || load x $2; $3; load y $4 || store y 1 $5; $6; load x $7",
       "|1,0|0",
       forbidden,
       {{"rlx,rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,acq,-,acq,rel,-,acq", allowed},
        // An acquire load between seq_cst events gives no order among them (C++11 saw one).
        {"sc,acq,-,sc,sc,-,sc", allowed},
        {"rel,acq,-,sc,sc,-,sc", allowed},
        {"rlx,rlx,-,sc,sc,-,sc", allowed},
        {"sc,sc,-,sc,sc,-,sc", forbidden},
        {"rlx,rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden},
        {"rlx,acq,-,rlx,rlx,fence sc,rlx", allowed},
        {"rlx,rlx,fence acq_rel,rlx,rlx,fence sc,rlx", allowed}}},
      {"W+RWC",
       "store x 1 $1; store z 1 $2 || load z $3; $4; load y rlx || store y 1 rlx; $5; load x rlx",
       "|1,0|0",
       forbidden,
       {{"rlx,rel,acq,fence sc,fence sc", forbidden},
        {"rlx,rlx,acq,fence sc,fence sc", allowed},
        {"rlx,rel,acq,-,fence sc", allowed},
        {"rlx,rel,rlx,fence sc,fence sc", forbidden}}},
      {"R",
       "store x 1 $1; $2; store y 1 $3 || store y 2 $4; $5; load x $6",
       "|0;*,2,*",
       forbidden,
       {{"rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,-,rel,rel,-,acq", allowed},
        {"rlx,-,rel,sc,-,sc", allowed},
        {"sc,-,rel,sc,-,sc", allowed},
        {"rlx,-,sc,sc,-,sc", allowed},
        {"sc,-,sc,sc,-,acq", allowed},
        {"sc,-,sc,rel,-,sc", allowed},
        {"sc,-,sc,sc,-,sc", forbidden},
        {"rlx,fence acq_rel,rlx,rlx,fence acq_rel,rlx", allowed},
        {"rlx,fence sc,rlx,rlx,-,rlx", allowed},
        {"rlx,fence sc,rlx,sc,-,sc", forbidden},
        {"sc,-,sc,rlx,fence sc,rlx", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
      {"2+2W",
       "store x 1 $1; $2; store y 2 $3 || store y 1 $4; $5; store x 2 $6",
       "|;1,1,*",
       forbidden,
       {{"rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,-,rel,rel,-,rel", allowed},
        {"sc,-,rel,sc,-,rel", allowed},
        {"sc,-,sc,rel,-,rel", allowed},
        {"sc,-,sc,sc,-,sc", forbidden},
        {"rlx,fence acq_rel,rlx,rlx,fence acq_rel,rlx", allowed},
        {"rlx,fence sc,rlx,rlx,-,rlx", allowed},
        {"rlx,fence sc,rlx,sc,-,sc", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
  };
}

// Two readers that disagree on the order of two independent writes.
std::vector<Shape> independent_reads() {
  return {
      {"IRIW",
       "store x 1 $1 || store y 1 $2 || load x $3; $4; load y $5 || load y $6; $7; load x $8",
       "||1,0|1,0",
       forbidden,
       {{"rlx,rlx,rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,rel,acq,-,acq,acq,-,acq", allowed},
        {"sc,sc,acq,-,acq,acq,-,acq", allowed},
        {"sc,sc,sc,-,sc,acq,-,acq", allowed},
        {"rel,rel,sc,-,sc,sc,-,sc", allowed},
        {"sc,rel,sc,-,sc,sc,-,sc", allowed},
        {"sc,sc,sc,-,sc,sc,-,sc", forbidden},
        {"rlx,rlx,rlx,fence acq_rel,rlx,rlx,fence acq_rel,rlx", allowed},
        {"rel,rel,acq,fence sc,acq,acq,-,acq", allowed},
        {"sc,sc,rlx,fence sc,rlx,sc,-,sc", forbidden},
        {"rlx,rlx,rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
      // The read-modify-write of the second thread is what hardware cannot order (PLDI'17, §2.2).
      {"Z6.U",
       "store x 1 $1; store y 1 $2 || add y 1 $3; load y $4 || store y 3 $5; load x $6",
       "|1,3|0",
       forbidden,
       {{"sc,rel,sc,rlx,sc,sc", allowed},
        {"rlx,rlx,rlx,rlx,rlx,rlx", allowed},
        {"sc,sc,sc,sc,sc,sc", forbidden}}},
      {"Z6.3",
       "store x 1 $1; $2; store y 1 $3 || store y 2 $4; $5; store z 1 $6 || load z $7; $8; load x "
       "$9",
       "||1,0;*,2,*",
       forbidden,
       {{"rlx,-,rlx,rlx,-,rlx,rlx,-,rlx", allowed},
        {"rel,-,rel,rel,-,rel,acq,-,acq", allowed},
        {"sc,-,sc,sc,-,rel,acq,-,sc", forbidden},
        {"sc,-,sc,sc,-,rlx,acq,-,sc", allowed},
        {"sc,-,sc,sc,-,sc,sc,-,sc", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx,acq,-,rlx", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx,rlx,-,rlx", allowed},
        {"rlx,fence sc,rlx,rlx,-,rel,acq,-,rlx", allowed},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
  };
}

// Message passing: what release and acquire forbid.
std::vector<Shape> message_passing() {
  return {
      {"MP",
       "store x 1 rlx; $1; store y 1 $2 || load y $3; $4; load x rlx",
       "|1,0",
       forbidden,
       {{"-,rlx,rlx,-", allowed},
        {"-,rel,rlx,-", allowed},
        {"-,rlx,acq,-", allowed},
        {"-,sc,rlx,-", allowed},
        {"-,rlx,sc,-", allowed},
        {"-,rel,acq,-", forbidden},
        {"-,rel,sc,-", forbidden},
        {"-,sc,acq,-", forbidden},
        {"-,sc,sc,-", forbidden},
        {"fence rel,rlx,acq,-", forbidden},
        {"fence acq_rel,rlx,acq,-", forbidden},
        {"fence sc,rlx,acq,-", forbidden},
        {"fence acq,rlx,acq,-", allowed},
        {"-,rel,rlx,fence acq", forbidden},
        {"-,rel,rlx,fence acq_rel", forbidden},
        {"-,rel,rlx,fence sc", forbidden},
        {"-,rel,rlx,fence rel", allowed},
        {"fence rel,rlx,rlx,fence acq", forbidden},
        {"fence acq_rel,rlx,rlx,fence acq_rel", forbidden},
        {"fence sc,rlx,rlx,fence sc", forbidden},
        {"fence sc,rlx,rlx,-", allowed},
        {"-,rlx,rlx,fence sc", allowed}}},
      {"MP by read-modify-writes",
       "store x 1 rlx; xchg y 1 $1 || add y 1 $2; load x rlx",
       "0|1,0",
       forbidden,
       {{"rlx,rlx", allowed},
        {"acq,rel", allowed},
        {"rel,rel", allowed},
        {"acq,acq", allowed},
        {"rel,acq", forbidden},
        {"acq_rel,acq_rel", forbidden},
        {"sc,sc", forbidden}}},
      // A compare_exchange that fails is a load with the order that remains for it.
      {"MP with failing exchange",
       "store x 1 rlx; store y 1 rel || cas y 5 6 $1; load x rlx",
       "|1,0",
       forbidden,
       {{"rlx", allowed},
        {"rel", allowed},
        {"acq", forbidden},
        {"acq_rel", forbidden},
        {"sc", forbidden}}},
  };
}

// Circles and chains of hand-overs.
std::vector<Shape> message_passing_relatives() {
  return {
      {"LB",
       "load x $1; $3; store y 1 $2 || load y $1; $3; store x 1 $2",
       "1|1",
       forbidden,
       {{"rlx,rlx,-", forbidden},
        {"acq,rlx,-", forbidden},
        {"rlx,rel,-", forbidden},
        {"acq,rel,-", forbidden},
        {"sc,sc,-", forbidden},
        {"rlx,rlx,fence sc", forbidden}}},
      {"LB by read-modify-writes",
       "add x 1 $1; store y 1 $2 || load y $3; store x 1 $2",
       "1|1",
       forbidden,
       {{"rlx,rlx,rlx", forbidden}, {"acq_rel,rel,acq", forbidden}}},
      {"S",
       "store x 2 $1; $2; store y 1 $3 || load y $4; $5; store x 1 $6",
       "|1;2,*,*",
       forbidden,
       {{"rlx,-,rlx,rlx,-,rlx", allowed},
        {"sc,-,rlx,rlx,-,sc", allowed},
        {"rlx,-,rel,rlx,-,rlx", allowed},
        {"rlx,-,rlx,acq,-,rlx", allowed},
        {"rlx,-,rel,acq,-,rlx", forbidden},
        {"sc,-,sc,sc,-,sc", forbidden},
        {"rlx,fence rel,rlx,acq,-,rlx", forbidden},
        {"rlx,-,rel,rlx,fence acq,rlx", forbidden},
        {"rlx,fence sc,rlx,rlx,fence sc,rlx", forbidden}}},
      // Only the second hand-over decides: the second thread's own read of x is ordered by
      // coherence.
      {"WRC",
       "store x 1 $1 || load x $2; $3; store y 1 $4 || load y $5; $6; load x rlx",
       "|1|1,0",
       forbidden,
       {{"rlx,rlx,-,rlx,rlx,-", allowed},
        {"rel,acq,-,rlx,acq,-", allowed},
        {"rel,acq,-,rel,rlx,-", allowed},
        {"sc,sc,-,rlx,sc,-", allowed},
        {"rlx,rlx,-,rel,acq,-", forbidden},
        {"rel,acq,-,rel,acq,-", forbidden},
        {"sc,sc,-,sc,sc,-", forbidden},
        {"rlx,rlx,fence rel,rlx,acq,-", forbidden},
        {"rlx,rlx,fence sc,rlx,rlx,fence sc", forbidden}}},
      {"ISA2",
       "store x 1 rlx; store y 1 $1 || load y $2; store z 1 $3 || load z $4; load x rlx",
       "|1|1,0",
       forbidden,
       {{"rel,acq,rel,acq", forbidden},
        {"rlx,acq,rel,acq", allowed},
        {"rel,rlx,rel,acq", allowed},
        {"rel,acq,rlx,acq", allowed},
        {"rel,acq,rel,rlx", allowed},
        {"sc,sc,sc,sc", forbidden}}},
  };
}

// One location: coherence needs no order at all.
std::vector<Shape> coherence() {
  const std::vector<Row> never{
      {"rlx,rlx", forbidden}, {"rel,acq", forbidden}, {"sc,sc", forbidden}};
  const std::vector<Row> may{{"rlx,rlx", allowed}, {"rel,acq", allowed}, {"sc,sc", allowed}};
  return {
      {"CoRR", "store x 1 $1 || load x $2; load x $2", "|1,0", forbidden, never},
      {"CoRR, in order", "store x 1 $1 || load x $2; load x $2", "|0,1", allowed, may},
      {"CoRR, two writers",
       "store x 1 $1 || store x 2 $1 || load x $2; load x $2 || load x $2; load x $2", "||1,2|2,1",
       forbidden, never},
      {"CoWW", "store x 1 $1; store x 2 $1 || load x $2", "|*;1,*,*", forbidden, never},
      {"CoWW, read", "store x 1 $1; store x 2 $1 || load x $2; load x $2", "|2,1", forbidden,
       never},
      {"CoRW, own write", "load x $2; store x 1 $1", "1", forbidden, never},
      {"CoRW", "load x $2; store x 2 $1 || store x 1 $1", "1|;1,*,*", forbidden, never},
      {"CoWR", "store x 1 $1; load x $2 || store x 2 $1", "2|;1,*,*", forbidden, never},
      {"CoWR, overwritten", "store x 1 $1; load x $2 || store x 2 $1", "2|;2,*,*", allowed, may},
      {"CoWR, initial", "store x 1 $1; load x $2", "0", forbidden, never},
  };
}

// Read-modify-writes are atomic, and continue release sequences; nothing else does in C++20.
std::vector<Shape> updates() {
  const std::vector<Row> never{{"rlx", forbidden}, {"acq_rel", forbidden}, {"sc", forbidden}};
  const std::vector<Row> may{{"rlx", allowed}, {"acq_rel", allowed}, {"sc", allowed}};
  return {
      {"two additions", "add x 1 $1 || add x 1 $1", "0|0", forbidden, never},
      {"two compare_exchanges", "cas x 0 1 $1 || cas x 0 2 $1", "0|0", forbidden, never},
      {"three exchanges in a ring", "xchg x 1 $1 || xchg x 2 $1 || xchg x 3 $1", "3|1|2", forbidden,
       never},
      {"store inside an addition", "add x 1 $1 || store x 5 rlx", "0|;1,*,*", forbidden, never},
      {"store after an addition", "add x 1 $1 || store x 5 rlx", "0|;5,*,*", allowed, may},
      {"sequence by addition",
       "store x 1 rlx; store y 1 $1 || add y 1 $2 || load y acq; load x rlx",
       "|1|2,0",
       forbidden,
       {{"rel,rlx", forbidden},
        {"rel,acq", forbidden},
        {"rlx,rlx", allowed},
        {"rlx,acq", allowed},
        {"sc,rlx", forbidden}}},
      {"sequence by exchange",
       "store x 1 rlx; store y 1 rel || xchg y 2 $1 || load y acq; load x rlx",
       "|1|2,0",
       forbidden,
       {{"rlx", forbidden}, {"sc", forbidden}}},
      {"sequence by compare_exchange",
       "store x 1 rlx; store y 1 rel || cas y 1 2 $1 || load y acq; load x rlx",
       "|1|2,0",
       forbidden,
       {{"rlx", forbidden}, {"acq", forbidden}}},
      {"sequence by two additions",
       "store x 1 rlx; store y 1 rel || add y 1 $1 || add y 1 $1 || load y acq; load x rlx",
       "|1|2|3,0",
       forbidden,
       {{"rlx", forbidden}, {"acq", forbidden}}},
      {"sequence from a fence",
       "store x 1 rlx; fence rel; store y 1 rlx || add y 1 $1 || load y rlx; fence acq; load x rlx",
       "|1|2,0",
       forbidden,
       {{"rlx", forbidden}}},
      {"sequence by own addition",
       "store x 1 rlx; store y 1 rel; add y 1 $1 || load y acq; load x rlx",
       "1|2,0",
       forbidden,
       {{"rlx", forbidden}}},
      // C++11 continued a release sequence through later stores of its thread; C++20 does not.
      {"no sequence by own store",
       "store x 1 rlx; store y 1 rel; store y 2 $1 || load y acq; load x rlx",
       "|2,0",
       forbidden,
       {{"rlx", allowed}, {"rel", forbidden}, {"sc", forbidden}}},
      {"no sequence by own store, then an addition",
       "store x 1 rlx; store y 1 rel; store y 2 rlx || add y 1 $1 || load y acq; load x rlx",
       "|2|3,0",
       forbidden,
       {{"rlx", allowed}, {"acq_rel", allowed}}},
      {"no sequence by another's store",
       "store x 1 rlx; store y 1 rel || load y $1; store y 2 $2 || load y acq; load x rlx",
       "|1|2,0",
       forbidden,
       {{"rlx,rlx", allowed}, {"acq,rlx", allowed}, {"rlx,rel", allowed}, {"acq,rel", forbidden}}},
  };
}

}  // namespace

const std::vector<Shape>& litmus_table() {
  static const std::vector<Shape> table = [] {
    std::vector<Shape> all;
    for (const auto& group :
         {store_buffering(), store_buffering_relatives(), independent_reads(), message_passing(),
          message_passing_relatives(), coherence(), updates()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return table;
}

}  // namespace heddle::litmus
