// When a document shows the parent in the identity of its entity (S3.11).
#include <gtest/gtest.h>

#include "run/layout_answers.h"

namespace sheaf::run {
namespace {

TEST(ParentIdentity, IsShownUnlessTheParentIsEvident) {
  expect_documents(R"(model hospitals {
  entity Hospital { id id; name }
  entity Ward within hospital { no id int; floor int }
  entity Bed within ward { no id int; kind }
  entity Nurse { id id; name }
  rel Hospital 1--* Ward as wards / hospital { size max 20; on delete cascade }
  rel Ward 1--* Bed as beds / ward { size max 20; on delete cascade }
  rel Nurse *--* Bed as beds / nurses { size of beds max 20; size of nurses max 20 }
  rel Ward 1--* Nurse as nurses / ward { size max 20 }

  layout collections { rel Hospital.wards via collection  rel Ward.beds via collection }
  layout indexes { rel Hospital.wards via index  rel Ward.beds via index  rel Nurse.beds via lists }
  layout paths { rel Hospital.wards via collection  rel Ward.beds via path  rel Nurse.beds via edges pk both }
  layout edges { rel Ward.nurses via edges  rel Nurse.beds via edges pk beds }

  pattern beds(h: Hospital) = $h.wards.beds {}
  pattern bedsInOrder(h: Hospital) = $h.wards.beds order kind { ward { floor } }
  pattern bedsOfWard(w: Ward) = $w.beds {}
  pattern wards(h: Hospital) = $h.wards { beds {} }
  pattern tree(h: Hospital) = $h { wards { floor, beds { kind } } }
  pattern ward(w: Ward) = $w
  pattern bed(b: Bed) = $b { ward { hospital {} } }
  pattern ofNurse(n: Nurse) = $n { beds {} }
  pattern byNurse(n: Nurse) = $n.ward.beds {}
  pattern onFloor(h: Hospital, f: int) = $h.wards.beds filter ward.floor = $f {} reads max 500
})",
                   R"({
  "Hospital": [{ "id": "h1", "name": "A" }, { "id": "h2", "name": "B" }],
  "Ward": [{ "hospital": "h1", "no": 1, "floor": 2 }, { "hospital": "h1", "no": 2, "floor": 3 },
           { "hospital": "h2", "no": 1, "floor": 2 }],
  "Bed": [{ "ward": ["h1", 1], "no": 1, "kind": "x" }, { "ward": ["h1", 2], "no": 1, "kind": "w" },
          { "ward": ["h2", 1], "no": 1, "kind": "y" }],
  "Nurse": [{ "id": "n1", "name": "Ann", "ward": ["h1", 1] }],
  "links": { "Nurse.beds": [["n1", ["h1", 1, 1]], ["n1", ["h2", 1, 1]]] } })",
                   R"(
beds("h1")
  {"no":1,"ward":["h1",1]}
  {"no":1,"ward":["h1",2]}
bedsInOrder("h1")
  {"no":1,"ward":{"floor":3,"hospital":"h1","no":2}}
  {"no":1,"ward":{"floor":2,"hospital":"h1","no":1}}
bedsOfWard(["h1", 1])
  {"no":1}
wards("h1")
  {"beds":[{"no":1}],"no":1}
  {"beds":[{"no":1}],"no":2}
tree("h1")
  {"id":"h1","wards":[{"beds":[{"kind":"x","no":1}],"floor":2,"no":1},{"beds":[{"kind":"w","no":1}],"floor":3,"no":2}]}
ward(["h1", 2])
  {"floor":3,"hospital":"h1","no":2}
bed(["h1", 2, 1])
  {"no":1,"ward":{"hospital":{"id":"h1"},"no":2}}
ofNurse("n1")
  {"beds":[{"no":1,"ward":["h1",1]},{"no":1,"ward":["h2",1]}],"id":"n1"}
byNurse("n1")
  {"no":1,"ward":["h1",1]}
onFloor("h1", 3)
  {"no":1,"ward":["h1",2]}
)");
}

}  // namespace
}  // namespace sheaf::run
