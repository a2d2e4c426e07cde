// Texts to begin with.

export const NEW_MODEL = `/// What this model is about.
model mine {
  // Entities have fields; those marked id tell one from another.
  entity Customer { id id; name; email unique }
  entity Order { id id; at time; total number }

  // One customer has many orders. Sheaf chooses how that is stored, unless you say via ...
  rel Customer 1--* Order as orders / customer { required; size avg 12 max 90 }

  // What is asked for, and how much it may take.
  pattern customer(c: Customer) = $c
  pattern ordersOf(c: Customer) = $c.orders budget 2 requests rate 20/s
  pattern order(o: Order) = $o + customer budget 2 requests rate 5/s

  // What is changed, each in one transaction.
  op buy(o: Order, c: Customer) = { put $o; link $o.customer $c } rate 100/day
}
`;

export const DEPARTMENTS = `/// Departments and the people who work in them.
model company {
  entity Department { id id matches "d-.+"; name changes rarely }
  entity Employee { id id matches "e-.+"; name; title }

  rel Department 1--* Employee as staff / department { required; size avg 20 max 90 }

  /// Who works in a department?
  pattern team(d: Department) = $d.staff budget 2 requests rate 50/s
  /// The same, only who they are.
  pattern teamIds(d: Department) = $d.staff {} budget 1 request rate 5/s
  /// In which department is somebody?
  pattern home(e: Employee) = $e.department budget 2 requests rate 20/s
  pattern employee(e: Employee) = $e budget 1 request rate 20/s

  op hire(e: Employee, d: Department) = { put $e; link $e.department $d } rate 10/day
  op move(e: Employee, d: Department) = set $e.department = $d rate 5/day
  op rename(d: Department, n: string) = set $d.name = $n rate 1/day

  // Four ways to store the same: the department's id on the employee and an index; the same with a copy of the
  // department's name; an item for each pair, in the partition of the department; or in that of the employee.
  layout method1 { rel Department.staff via index }
  layout method2 { rel Department.staff via index copy department(*) }
  layout method3 { rel Department.staff via edges pk one }
  layout method4 { rel Department.staff via edges pk many }
  compare [method1, method2, method3, method4]
}
`;
