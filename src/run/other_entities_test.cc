// Conditions and orders on the fields of other entities (S2.3, S3.3, S3.4), in layouts of every kind.
#include <gtest/gtest.h>

#include "run/layout_answers.h"

namespace sheaf::run {
namespace {

constexpr const char* kBooks = R"(model books {
  entity Publisher { id id; city string? }
  entity Author { id id; name string?; born int?; home { town; zip string? }? }
  entity Book { id id; title; year int }
  entity Note within book { no id int; text }
  entity Shelf { id id; room }
  rel Publisher 1--* Author as authors / publisher { size max 20 }
  rel Author 1--* Book as books / author { size max 20 }
  rel Book 1--* Note as notes / book { size max 20; on delete cascade }
  rel Shelf *--* Book as books / shelves { edge { at int; slot { row int? }? };
    size of books max 20; size of shelves max 20 }

  layout refs { rel Publisher.authors via index  rel Author.books via index  rel Shelf.books via edges pk both }
  layout edges { rel Publisher.authors via edges  rel Author.books via edges  rel Shelf.books via edges }
  layout turned { rel Publisher.authors via edges pk one  rel Author.books via edges pk both
    rel Shelf.books via edges pk shelves }
  layout lists { rel Publisher.authors via lists  rel Author.books via lists  rel Shelf.books via lists }
  layout copied { rel Publisher.authors via index copy publisher(city)
    rel Author.books via index copy author(name, born)  rel Shelf.books via edges pk both copy books(title) }
  layout listed { rel Publisher.authors via lists copy publisher(*)
    rel Author.books via lists copy author(*) copy books(*)  rel Shelf.books via lists copy books(*) }
  layout graph { rel Author.books via graph  rel Shelf.books via graph }
  layout ids { rel Publisher.authors via ids authors  rel Author.books via ids books }
  layout collected { rel Publisher.authors via index  rel Author.books via index  rel Book.notes via collection
    rel Shelf.books via edges }
  layout embedded { rel Author.books via index  rel Book.notes via embed map  rel Shelf.books via lists }

  pattern byName(s: Shelf, n: string?) = $s.books filter author.name = $n {} reads max 100
  pattern notName(s: Shelf, n: string) = $s.books filter author.name <> $n {} reads max 100
  pattern unnamed(s: Shelf) = $s.books filter author.name missing {} reads max 100
  pattern written(s: Shelf) = $s.books filter author exists {} reads max 100
  pattern byCity(s: Shelf, c: string) = $s.books filter author.publisher.city = $c {} reads max 100
  pattern byTown(s: Shelf, t: string) = $s.books filter author.home.town = $t {} reads max 100
  pattern inOrder(s: Shelf) = $s.books order author.name {}
  pattern backwards(s: Shelf) = $s.books order author.born desc limit 2 {}
  pattern byRow(s: Shelf, r: int) = $s.books filter edge.slot.row = $r {} reads max 100
  pattern older(s: Shelf, y: int) = $s.books filter edge.at > $y and author.born < 1960 {} reads max 100
  pattern nested(s: Shelf) = $s { books filter author.born > 1940 order author.name desc limit 2 { title } }
  pattern both(s: Shelf, n: string) = $s { books filter author.name = $n limit 5 { author { born } } }
  pattern walked(a: Author) = $a.books.notes filter book.year > 1990 limit 9 {}
  pattern walkedBack(p: Publisher) =
    $p.authors.books filter author.publisher.city = "Rome" and author.born > 1940 limit 9 {}
  pattern walkedInOrder(p: Publisher) = $p.authors.books order author.born {}
  pattern ofOne(b: Book, n: string) = $b { author filter publisher.city = $n { name } }
  pattern noteOf(n: Note, y: int) = $n { *, book filter author.born = $y { year } }
})";

TEST(OtherEntities, ConditionsAndOrdersLookAtThem) {
  expect_documents(kBooks, R"({
  "Publisher": [{ "id": "p1", "city": "Rome" }, { "id": "p2" }],
  "Author": [{ "id": "a1", "name": "Ann", "born": 1950, "home": { "town": "Bath" }, "publisher": "p1" },
             { "id": "a2", "name": "Bob", "born": 1930, "publisher": "p1" },
             { "id": "a3", "home": { "town": "Cork", "zip": "T12" }, "publisher": "p2" }],
  "Book": [{ "id": "b1", "title": "One", "year": 1980, "author": "a1" },
           { "id": "b2", "title": "Two", "year": 1995, "author": "a1" },
           { "id": "b3", "title": "Three", "year": 1960, "author": "a2" },
           { "id": "b4", "title": "Four", "year": 2001, "author": "a3" },
           { "id": "b5", "title": "Five", "year": 2002 }],
  "Note": [{ "book": "b1", "no": 1, "text": "x" }, { "book": "b2", "no": 1, "text": "y" },
           { "book": "b2", "no": 2, "text": "z" }],
  "Shelf": [{ "id": "s1", "room": "hall" }, { "id": "s2", "room": "attic" }],
  "links": { "Shelf.books": [["s1", "b1", { "at": 1, "slot": { "row": 7 } }], ["s1", "b3", { "at": 2, "slot": {} }],
                             ["s1", "b4", { "at": 3 }], ["s1", "b5", { "at": 4, "slot": { "row": 8 } }]] } })",
                   R"(
byName("s1", "Ann")
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
byName("s1", "Zoe")
byName("s1", null)
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
  {"edge":{"at":2,"slot":{}},"id":"b3"}
  {"edge":{"at":3},"id":"b4"}
  {"edge":{"at":4,"slot":{"row":8}},"id":"b5"}
notName("s1", "Ann")
  {"edge":{"at":2,"slot":{}},"id":"b3"}
unnamed("s1")
  {"edge":{"at":3},"id":"b4"}
  {"edge":{"at":4,"slot":{"row":8}},"id":"b5"}
written("s1")
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
  {"edge":{"at":2,"slot":{}},"id":"b3"}
  {"edge":{"at":3},"id":"b4"}
byCity("s1", "Rome")
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
  {"edge":{"at":2,"slot":{}},"id":"b3"}
byTown("s1", "Cork")
  {"edge":{"at":3},"id":"b4"}
inOrder("s1")
  {"edge":{"at":3},"id":"b4"}
  {"edge":{"at":4,"slot":{"row":8}},"id":"b5"}
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
  {"edge":{"at":2,"slot":{}},"id":"b3"}
backwards("s1")
  {"edge":{"at":1,"slot":{"row":7}},"id":"b1"}
  {"edge":{"at":2,"slot":{}},"id":"b3"}
byRow("s1", 8)
  {"edge":{"at":4,"slot":{"row":8}},"id":"b5"}
older("s1", 1)
  {"edge":{"at":2,"slot":{}},"id":"b3"}
nested("s1")
  {"books":[{"edge":{"at":1,"slot":{"row":7}},"id":"b1","title":"One"}],"id":"s1"}
nested("s2")
  {"books":[],"id":"s2"}
both("s1", "Bob")
  {"books":[{"author":{"born":1930,"id":"a2"},"edge":{"at":2,"slot":{}},"id":"b3"}],"id":"s1"}
walked("a1")
  {"book":"b2","no":1}
  {"book":"b2","no":2}
walkedBack("p1")
  {"id":"b1"}
  {"id":"b2"}
walkedBack("p2")
walkedInOrder("p1")
  {"id":"b3"}
  {"id":"b1"}
  {"id":"b2"}
ofOne("b1", "Rome")
  {"author":{"id":"a1","name":"Ann"},"id":"b1"}
ofOne("b1", "Oslo")
  {"id":"b1"}
ofOne("b5", "Rome")
  {"id":"b5"}
noteOf(["b1", 1], 1950)
  {"book":{"id":"b1","year":1980},"no":1,"text":"x"}
noteOf(["b1", 1], 1951)
  {"no":1,"text":"x"}
)");
}

// The value is in the keys of the index, whatever else that holds.
TEST(OtherEntities, WhereIsServedByIndexesOverCopies) {
  for (const char* holds : {"", " keys", " include (title)"}) {
    expect_documents(R"(model books {
  table app { pk PK; sk SK; tag T; gsi GX1 XP / XS)" +
                         std::string(holds) + R"( }
  entity Author { id id; name string?; born int }
  entity Book { id id; title; year int; index GX1 "N#<author.name>" / "<author.born:0000>#<id>" }
  rel Author 1--* Book as books / author { size max 20; required; on delete cascade;
    via index copy author(name, born) }
  pattern books(a: Author) = $a.books {}
  pattern byName(n: string) = Book where author.name = $n
  pattern ids(n: string) = Book where author.name = $n {}
  pattern born(n: string, y: int) = Book where author.name = $n and author.born > $y {}
  pattern inOrder(n: string) = Book where author.name = $n order author.born desc
  pattern filtered(n: string, i: string, y: int) =
    Book where author.name = $n filter author.id <> $i and year > $y limit 5 { author {} }
})",
                     R"({
  "Author": [{ "id": "a1", "name": "Ann", "born": 1950 }, { "id": "a2", "name": "Bob", "born": 1930 },
             { "id": "a3", "name": "Ann", "born": 1990 }],
  "Book": [{ "id": "b1", "title": "One", "year": 1980, "author": "a1" },
           { "id": "b2", "title": "Two", "year": 1995, "author": "a2" },
           { "id": "b3", "title": "Three", "year": 2020, "author": "a3" }] })",
                     R"(
byName("Ann")
  {"id":"b1","title":"One","year":1980}
  {"id":"b3","title":"Three","year":2020}
byName("Zoe")
ids("Bob")
  {"id":"b2"}
born("Ann", 1950)
  {"id":"b3"}
born("Ann", 1949)
  {"id":"b1"}
  {"id":"b3"}
inOrder("Ann")
  {"id":"b3","title":"Three","year":2020}
  {"id":"b1","title":"One","year":1980}
filtered("Ann", "a1", 1900)
  {"author":{"id":"a3"},"id":"b3"}
)");
  }
}

// What finds them are edges, and these have the copies.
TEST(OtherEntities, WhereIsServedByEdgesOverCopies) {
  expect_documents(R"(model books {
  table app { pk PK; sk SK; tag T; gsi GX1 XP / XS; gsi GY1 YP / YS keys }
  entity Author { id id; name changes rarely; born int }
  entity Book { id id; title; year int changes rarely }
  rel Author 1--* Book as books / author { size max 20; edge { role; share int? };
    via edges pk one copy author(name) copy books(year)
      index GX1 "N#<author.name>" / "<books.year:0000>#<books.id>" }
  layout lean { rel Author.books via edges pk one copy author(name) copy books(year)
    index GY1 "N#<author.name>" / "<books.year:0000>#<books.id>" }
  pattern byName(n: string) = Book where author.name = $n
  pattern ids(n: string) = Book where author.name = $n {}
  pattern from(n: string, y: int) = Book where author.name = $n and year >= $y {}
  pattern roles(n: string, r: string) = Book where author.name = $n filter author.edge.role = $r limit 5 {}
  pattern born(n: string, y: int) = Book where author.name = $n filter author.born = $y limit 5 {}
  pattern inOrder(n: string) = Book where author.name = $n order year desc {}
})",
                   R"({
  "Author": [{ "id": "a1", "name": "Ann", "born": 1950 }, { "id": "a2", "name": "Bob", "born": 1930 }],
  "Book": [{ "id": "b1", "title": "One", "year": 1980 }, { "id": "b2", "title": "Two", "year": 1995 },
           { "id": "b3", "title": "Three", "year": 2020 }],
  "links": { "Author.books": [["a1", "b1", { "role": "writer", "share": 5 }], ["a1", "b3", { "role": "editor" }],
                              ["a2", "b2", { "role": "writer" }]] } })",
                   R"(
byName("Bob")
  {"id":"b2","title":"Two","year":1995}
ids("Ann")
  {"id":"b1"}
  {"id":"b3"}
from("Ann", 2000)
  {"id":"b3"}
roles("Ann", "writer")
  {"id":"b1"}
born("Ann", 1950)
  {"id":"b1"}
  {"id":"b3"}
born("Ann", 1951)
inOrder("Ann")
  {"id":"b3"}
  {"id":"b1"}
)");
}

}  // namespace
}  // namespace sheaf::run
