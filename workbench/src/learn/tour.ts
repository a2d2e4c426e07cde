// The guided tour: what each example is about, what to look at, what to run here, and what to try.

export interface Try {
  pattern: string;
  values: unknown[]; // of its parameters, in their order; they are in the example's data
  look: string; // what one sees
}
export interface Stop {
  number: number; // E1 to E25
  model: string;
  title: string;
  group: Group;
  about: string;
  look: string[];
  tries: Try[];
  todo: string[];
}
export const GROUPS = ['One to many', 'Inside one item', 'One collection', 'Hierarchies', 'Many to many', 'Keys and load'] as const;
export type Group = (typeof GROUPS)[number];

const stop = (number: number, model: string, group: Group, title: string, rest: Pick<Stop, 'about' | 'look' | 'tries' | 'todo'>): Stop => ({ number, model, group, title, ...rest });

export const TOUR: Stop[] = [
  stop(1, 'orgs', 'One to many', 'An organisation and its users', {
    about: 'The most common way to store one to many: parent and children share a partition key, and the sort key says what an item is. So the parent with all of its children is one Query.',
    look: ['`METADATA#` and `USER#` begin the sort keys: that is how one Query can take the users alone.', 'Four patterns, and each is one request.'],
    tries: [
      { pattern: 'orgAndUsers', values: ['acme'], look: 'One request reads four items and makes one document of them.' },
      { pattern: 'user', values: [['acme', 'ann']], look: 'Both parts of the key are known: one item is read.' },
    ],
    todo: ['Ask for the users of zeta, then for an organisation that there is not.', 'Run the operation `join` on the Patterns page, and ask again.', 'Look at the layout `index`: users have keys of their own there, and an index gives the same answers.'],
  }),
  stop(2, 'support', 'One to many', 'Tickets of users', {
    about: 'A third level. If tickets lay beside the users, “organisation and users” would read them all and throw them away. So a ticket has a partition of its own, and an index brings each user and their tickets together.',
    look: ['The table and `GSI1` side by side: the same items, grouped in two ways.', 'In the layout `flat`, `orgAndUsers` reads 7 items to return 4, and more with every ticket.'],
    tries: [
      { pattern: 'orgAndUsers', values: ['acme'], look: 'Four items read, four returned: no ticket lies between.' },
      { pattern: 'userAndTickets', values: [['acme', 'ann']], look: 'The user first, then the newest tickets: `GSI1`, read backwards.' },
    ],
    todo: ['Choose the layout `flat` in the drawing, and find the tickets between `METADATA#` and `USER#`.', 'Compare `default` and `flat` on the Compare page.'],
  }),
  stop(3, 'places', 'Hierarchies', 'Country, state, city, zip code', {
    about: 'One composite sort key serves four questions: each level of the hierarchy is one interval of it.',
    look: ['The sort key is `STATE#CITY#ZIP#NAME`. A closing # keeps Spring apart from Springfield.', 'The name at the end keeps two locations of one zip code apart: without it the second would replace the first.'],
    tries: [
      { pattern: 'inState', values: ['USA', 'TX'], look: 'Three locations, one request.' },
      { pattern: 'inCity', values: ['USA', 'TX', 'Spring'], look: 'Two of them: Springfield is not among them.' },
    ],
    todo: ['Ask for a zip code: `inZip` with USA, NE, Omaha, 68118.', 'Ask for a city without its state: no key begins with a city, so no pattern does.'],
  }),
  stop(4, 'addresses', 'Inside one item', 'Addresses of a customer', {
    about: 'At most 20 addresses, always read with their customer and never searched by what is in them: they are a map on the customer’s own item.',
    look: ['One item holds everything: one GetItem, always consistent.', 'A list must be read before one of its elements can be changed; a map need not.'],
    tries: [{ pattern: 'customer', values: ['alexdebrie'], look: 'One item read, three things returned.' }],
    todo: ['Choose the layouts `list` and `collection` in the drawing: the answers are the same.', 'Compare what the operation `move` costs in each of them.'],
  }),
  stop(5, 'shop', 'One to many', 'Orders and order items without bound', {
    about: 'What grows without bound must not be embedded: an item ends at 400 KB. So order items are items, on a path below their order.',
    look: ['`ORDER#00000007` has zeros in front, so that order 70 does not come before order 8.', 'The order sorts right before its items: one interval has both.'],
    tries: [
      { pattern: 'order', values: [['ann', 7]], look: 'The order and its three items, four items in one request.' },
      { pattern: 'orders', values: ['ann'], look: 'Newest first. Order items lie between and are read past: six items for two orders.' },
    ],
    todo: ['On the Model page, change `via path` of `Order.items` to `via embed list`: it is refused, and you are told why.', 'Look at the layout `index`, where an order is a partition of its own.'],
  }),
  stop(6, 'profile', 'One collection', 'user_123: a profile, addresses, cards', {
    about: 'Five items of three kinds in one collection. All of them, one kind or one item: each is one request, because the sort key begins with the kind.',
    look: ['`ADDRESS#`, `PAYMENT#` and `PROFILE#`: three kinds, one partition.', '`user_1234` is near by, and never read by mistake: partition keys are compared whole.'],
    tries: [
      { pattern: 'everything', values: ['user_123'], look: 'One Query, 5 items.' },
      { pattern: 'address', values: [['user_123', 'home']], look: 'One item.' },
    ],
    todo: ['Run `relocate` on the Patterns page: three items change in one transaction, or none.', 'Choose the layout `embed`: now an address cannot be read alone.'],
  }),
  stop(7, 'order', 'One collection', 'order_789: lines, a shipment, a payment', {
    about: 'Six items of four kinds make one order. Its total is computed over what one Query reads anyway.',
    look: ['`whole` is a strong read: the table can give it, an index cannot.', '`total` is computed over what one Query reads: no second request for a sum.'],
    tries: [
      { pattern: 'whole', values: ['order_789'], look: 'Six items, one request.' },
      { pattern: 'total', values: ['order_789'], look: 'The sum of price times quantity over three lines.' },
    ],
    todo: ['On the Patterns page, run `ship` with a new shipment, then ask for the whole order.', 'In the layout `index`, `whole` is refused: find out why with Explain.'],
  }),
  stop(8, 'accounts', 'Hierarchies', 'account_456: characters and inventories', {
    about: 'Three levels in one collection. Reading down the tree is easy; “all inventories” is not, since they do not lie together and no key condition finds what is in the middle of a key.',
    look: ['An index has inventories beside each other: `inventories` reads 3 items for 3.', '`counted` asks for a strong read, which no index gives: it reads 5 items for 3, and says so.'],
    tries: [
      { pattern: 'everything', values: ['account_456'], look: 'Six items become a document of three levels.' },
      { pattern: 'counted', values: ['account_456'], look: 'Five items read, three returned: the price of a strong read here.' },
    ],
    todo: ['Compare `inventories` and `counted`: same documents, other items read.', 'Choose the layout `kinds`: what was easy becomes an index, and the other way round.'],
  }),
  stop(9, 'equipment', 'Hierarchies', 'What character_789 carries', {
    about: 'A path in the sort key, `area::kind::id`, that can be read at each of its levels.',
    look: ['A level is asked for with its separator behind it: armor is not armory.', 'A colon within an area or kind is written `%3A`, so that nothing slips under a level where it does not belong.'],
    tries: [
      { pattern: 'inventory', values: ['character_789'], look: 'Everything in the area “inventory”: five things.' },
      { pattern: 'armor', values: ['character_789'], look: 'One level deeper: two things.' },
    ],
    todo: ['Ask `below` with only an area, then with an area and a kind.', 'On the Patterns page, put a thing of the kind `armor::heavy`, and see that `armor` does not find it.'],
  }),
  stop(10, 'typed_ids', 'Keys and load', 'Sort keys of type and id', {
    about: '`ADDRESS#uuid_1`, `PAYMENT#uuid_1`: the type picks a kind by its prefix, the id keeps two of one kind apart, and two kinds with the same id never meet.',
    look: ['The address uuid_1 and the payment uuid_1 are two items.', 'Patterns take a kind by “begins with”.'],
    tries: [
      { pattern: 'addresses', values: ['user_123'], look: 'Two items: a prefix did it.' },
      { pattern: 'everything', values: ['user_123'], look: 'The whole collection in one request.' },
    ],
    todo: ['Add a payment with an id that an address has: both stay.', 'Look at the layout `index`, where an index brings them together.'],
  }),
  stop(11, 'catalogue', 'Keys and load', 'A catalogue, attribute by attribute', {
    about: 'Each attribute of a product is an item: entity, attribute, value. What a product does not have is not there, and a price changes without touching the rest.',
    look: ['`product_456` has no colour: there is no item for it.', 'A product is put by a transaction of its attributes, and read by a Query of them: flexible, but more items.'],
    tries: [
      { pattern: 'product', values: ['product_456'], look: 'Two items become one product, without a colour.' },
      { pattern: 'price', values: ['product_123'], look: 'Only the price is wanted, and the product’s three items are read for it.' },
    ],
    todo: ['Paint `product_456` on the Patterns page, and look at its collection: one item more.', 'Choose the layout `items`: a product is one item, and all answers are the same.'],
  }),
  stop(12, 'purchases', 'One to many', 'From a user to orders, and back', {
    about: 'A collection leads one way: from the user to the orders. Who knows only the order finds neither it nor its user. Three layouts, three ways out.',
    look: ['`one_way` cannot answer `userOf`: the plan names the key that is missing.', 'Without any word about storage, Sheaf chooses an index by user.'],
    tries: [
      { pattern: 'ordersOf', values: ['user_123'], look: 'Downwards: one request.' },
      { pattern: 'userOf', values: ['order_3'], look: 'Upwards: the order first, then its user.' },
    ],
    todo: ['Draw the layouts `one_way`, `both_ways` and `edges` one after the other.', 'Compare all four: what do reading back and writing cost?'],
  }),
  stop(13, 'partitions', 'Keys and load', 'A partition for each, against one for all', {
    about: 'A partition takes about 3,000 reads and 1,000 writes a second. With a partition for each product the load is spread; with all of them under “PRODUCT” the table is as fast as one partition.',
    look: ['Both layouts answer alike, with as many requests: only under load one sees the mistake.', 'The checker warns of it: `constant-partition`.'],
    tries: [
      { pattern: 'product', values: ['product_123'], look: 'One item, by its own partition key.' },
      { pattern: 'user', values: ['user_123'], look: 'The same for users.' },
    ],
    todo: ['Draw the layout `shared`: two partitions for everything.', 'Make some load on the Heat page, and see how it is spread over partitions.'],
  }),
  stop(14, 'posts', 'Keys and load', 'A power user with a million posts', {
    about: 'A user’s posts lie in one partition for each month, so that no collection grows without bound. A topic that everybody writes about is spread over four shards. Patterns see neither.',
    look: ['The partition key ends with the month: `USER#ann#2026-03`.', '`about` asks four shards and merges them in order: four requests.'],
    tries: [
      { pattern: 'newest', values: ['ann'], look: 'The newest page. Each month on the way back is a request, until the page is full.' },
      { pattern: 'about', values: ['tea'], look: 'Four requests, one list in order.' },
    ],
    todo: ['Ask `between` for two months: one request for each.', 'Choose the layout `whole`: simpler, and one collection that grows for ever.'],
  }),
  stop(15, 'friends', 'Many to many', 'Friends', {
    about: 'Neither of two friends is the parent. Each pair is an item in the partition of both, so that each reads their friends in one consistent Query.',
    look: ['An edge has the name of the friend it leads to: `friendNames` needs no second request.', '`friend_count` is kept by Sheaf, in the transaction that makes the friendship.'],
    tries: [
      { pattern: 'friendNames', values: ['ann'], look: 'Names without a second request: they are copied to the edge.' },
      { pattern: 'friends', values: ['ann'], look: 'All of each friend: two requests.' },
    ],
    todo: ['Befriend bob and dan on the Patterns page, and look at both of their collections.', 'Rename a user: the copies follow, and you are told how many.', 'Ask `around`: friends of friends, each once.'],
  }),
  stop(16, 'billing', 'Many to many', 'Invoices, bills and customers', {
    about: 'An adjacency list. Things are partitions, an edge is an item whose sort key is where it leads, and an index over the table’s own keys, the other way round, reads edges from the other side.',
    look: ['The table and `GSI_1` side by side: partition and sort key have changed places.', 'What edges copy is immutable, so it cannot grow old.'],
    tries: [
      { pattern: 'invoice', values: ['i1'], look: 'The invoice, its customer’s name and the amounts of its bills: one request.' },
      { pattern: 'invoiceFull', values: ['i1'], look: 'More than edges hold: a second request for all of them.' },
    ],
    todo: ['Ask for a bill: the same edges from the other side.', 'Attach a bill to another invoice, and ask for it again.'],
  }),
  stop(17, 'school', 'Many to many', 'A graph of students, teachers and places', {
    about: 'A materialised graph. Edges lie with their student, and an index has them by the first levels of what they lead to. Teachers and places have no items of their own.',
    look: ['A class joins three things: student, teacher and subject, which is part of its key.', 'Students are found by country, by state or by city; a city without its state is refused.'],
    tries: [
      { pattern: 'student', values: ['TOM'], look: 'Four items: the student, classes and home.' },
      { pattern: 'livingIn', values: ['USA', 'CA', null], look: 'By state: what is left out is not asked for.' },
    ],
    todo: ['Ask `taught` for SIMON with and without a subject.', 'Move TOM to another place, and ask `livingIn` again.', 'Draw the layout `pairs`: plain edges know whole places only.'],
  }),
  stop(18, 'plans', 'Inside one item', 'A payment plan and featured deals', {
    about: 'One to few, read with their parent: the plan is a map with fields of its own, the deals are a list in order.',
    look: ['Fields of the plan are checked like all others.', 'Ten deals at most: the model says so, and Sheaf keeps to it.'],
    tries: [{ pattern: 'organization', values: ['o1'], look: 'One item, with plan and deals.' }],
    todo: ['Run `feature` with a new deal: a list is read before it is changed, two requests.', 'Choose the layout `collection`: deals are items, and `feature` is one request.'],
  }),
  stop(19, 'copied', 'One to many', 'Orders that carry their customer’s name', {
    about: 'A list of orders shows names of customers. Copies on the orders save the second request, and Sheaf keeps them in step.',
    look: ['`CustomerName` lies on every order.', '`rename` is rare, reading is frequent: that is when copies pay.'],
    tries: [
      { pattern: 'orders', values: ['c1'], look: 'Orders with the customer’s name: one request.' },
      { pattern: 'orderFull', values: ['o1'], look: 'More than was copied: two requests.' },
    ],
    todo: ['Rename c1 on the Patterns page: it tells how many copies were brought in step.', 'Choose the layout `normalised`, without copies: one request more for each list.'],
  }),
  stop(20, 'customers', 'One to many', 'Customer c123, order o456', {
    about: 'Orders lie beside their customer in the order of time. An index finds an order by its id, another one has orders by status.',
    look: ['`#ORDER#` sorts before `CUSTOMER#`: read backwards, the customer comes first, then the newest orders.', 'An index on the id does not make the id unique: a guard item does.'],
    tries: [
      { pattern: 'newest', values: ['c123'], look: 'The customer and the newest orders, one request.' },
      { pattern: 'withStatus', values: ['c123', 'PLACED'], look: 'By status: `GSI2`.' },
    ],
    todo: ['Ship o456 on the Patterns page: it moves to another collection of `GSI2`.', 'Place an order with an id that there is: it is refused.'],
  }),
  stop(21, 'projects', 'Hierarchies', 'Organization, project, task', {
    about: 'A sort key over three levels. A project with its tasks is one interval that begins with the project itself, and p1 does not find p10.',
    look: ['`PROJECT#p1` and `PROJECT#p1#TASK#t1`: the parent sorts right before its children.', '`orgAndProjects` has to read past the tasks: the linter says so (`mixed-levels`).'],
    tries: [
      { pattern: 'projectAndTasks', values: [['o1', 'p1']], look: 'The project and its tasks, without those of p10.' },
      { pattern: 'tree', values: ['o1'], look: 'Everything of an organization.' },
    ],
    todo: ['Compare with the layout `index`: the tree takes a request for each project there.', 'Read what the linter finds, and decide whether it matters to you.'],
  }),
  stop(22, 'repos', 'Many to many', 'Users, repositories, and access', {
    about: 'Many to many with a role on each pair. Edges lie beside the user; an index has them beside the repository, whose own item it holds, too.',
    look: ['Granting and revoking write one edge and touch neither entity.', 'The table and `GSI1` side by side: the same edges, grouped by user and by repository.'],
    tries: [
      { pattern: 'access', values: ['alexdebrie'], look: 'The user with all roles: one request.' },
      { pattern: 'usersOf', values: [['aws', 'dynamodb']], look: 'The other side, one request as well.' },
    ],
    todo: ['Grant ann the role READ, and ask from both sides.', 'Choose the layout `by_repo`: which of your questions does it favour?'],
  }),
  stop(23, 'movies', 'Many to many', 'Actors and movies', {
    about: 'The classic, in four layouts: what Sheaf chooses, an adjacency list, a table of links, and lists on both items.',
    look: ['The year is copied to each role: it is immutable, so the copy cannot grow old.', 'With lists, either side with its pairs is one item.'],
    tries: [
      { pattern: 'actor', values: ['Tom Hanks'], look: 'The actor, roles and years: one request.' },
      { pattern: 'movie', values: ['Apollo 13'], look: 'The movie and who played in it.' },
    ],
    todo: ['Compare all four layouts: which has the fewest requests, which the cheapest writes?', 'Engage an actor for another movie, and ask from both sides.'],
  }),
  stop(24, 'repo_ids', 'Many to many', 'A user who holds ids', {
    about: 'The user’s item has a list of ids, and the repositories are fetched by them: nothing is stored twice, and it takes two requests.',
    look: ['The second request is a BatchGetItem: up to 100 keys.', 'There is no way back: from a repository to its users, nothing leads.'],
    tries: [
      { pattern: 'repos', values: ['alexdebrie'], look: 'Two requests, three items.' },
      { pattern: 'ids', values: ['alexdebrie'], look: 'The ids alone: one request.' },
    ],
    todo: ['Grant another repository: one small write.', 'Choose the layout `edges`, and compare.'],
  }),
  stop(25, 'hr', 'One to many', 'Departments and employees in four methods', {
    about: 'The same model in four ways: a foreign key with an index; the same with copies; relationship items in the partition of the department; or of the employee. Which is best depends on what you ask.',
    look: ['Methods 1 and 2 need a field and an index for each relation; 3 and 4 share one index for all.', '`home` is one request in method 2 only: the copy saves the second. Writing pays for it.'],
    tries: [
      { pattern: 'team', values: ['d-2'], look: 'The employees of IT: one Query of the index.' },
      { pattern: 'home', values: ['e-5'], look: 'From an employee to the department.' },
    ],
    todo: ['Draw `method1` to `method4` one after the other.', 'Compare the four methods, and see that all answer alike.', 'Add a second relation between employees, and see what each method needs for it.'],
  }),
];

export const stopOf = (model: string): Stop | undefined => TOUR.find((each) => each.model === model);
