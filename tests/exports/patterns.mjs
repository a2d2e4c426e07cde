// How the patterns of examples are answered by a client of exported schemas, whichever it is. A client has
//   get(kind, properties), list(kind, properties, options), together(collection, kinds, properties, options)
// with { index, reverse, limit }; `index` is the name of an access pattern of the exported entities.

// An entity's document without the parent that it was reached from, as the model gives it.
const org = ({ orgName, plan }) => ({ name: orgName, plan });
const user = ({ userName, orgName, ...fields }) => ({ name: userName, ...fields });
const ticket = ({ ticketId, subject }) => ({ id: ticketId, subject });
const person = ({ username, name, email }) => ({ username, name, email });
const repo = ({ repoOwner, repo: name, description }) => ({ owner: repoOwner, repo: name, ...(description && { description }) });
const byName = ({ id, name }) => ({ id, name });
const organization = ({ orgId, name }) => byName({ id: orgId, name });
const project = ({ projectId, name }) => byName({ id: projectId, name });
const task = ({ taskId, title, done }) => ({ id: taskId, title, done });
const order = ({ orderNumber, placed_on }) => ({ number: orderNumber, placed_on });
const line = ({ orderItemSku, price, quantity }) => ({ sku: orderItemSku, price, quantity });
const department = ({ departmentId, name }) => byName({ id: departmentId, name });
const employee = ({ employeeId, name }) => byName({ id: employeeId, name });

const some = (documents) => documents.filter(Boolean);
const one = async (found, document) => some([await found]).map(document);
const all = async (found, document) => (await found).map(document);

const ORGS = {
  org: [['acme'], ['none']],
  orgAndUsers: [['acme'], ['acme-east'], ['none']],
  users: [['acme'], ['none']],
  user: [[['acme', 'ann']], [['acme', 'nobody']]],
};

const orgsAnswers = (index) => ({
  org: (client, orgName) => one(client.get('Org', { orgName }), org),
  orgAndUsers: async (client, orgName) => {
    const { Org, User } = await client.together('org', ['Org', 'User'], { orgName }, { index });
    return Org.map((each) => ({ ...org(each), users: User.map(user) }));
  },
  users: (client, orgName) => all(client.list('User', { orgName }, { index }), user),
  user: (client, [orgName, userName]) => one(client.get('User', { orgName, userName }), (each) => ({ ...user(each), org: orgName })),
});

const SUPPORT = {
  orgAndUsers: [['acme'], ['zeta'], ['none']],
  userAndTickets: [[['acme', 'ann']], [['acme', 'cid']]],
  ticket: [['01HF0000000000000000000003'], ['none']],
};

const supportAnswers = {
  orgAndUsers: async (client, orgName) => {
    const { Org, User } = await client.together('org', ['Org', 'User'], { orgName });
    return Org.map((each) => ({ ...org(each), users: User.map(user) }));
  },
  userAndTickets: async (client, [orgName, userName]) => {
    const options = { index: 'gsi1', reverse: true };
    const { User, Ticket } = await client.together('orgUser', ['User', 'Ticket'], { orgName, userName }, options);
    return User.map((each) => ({ ...user(each), org: orgName, tickets: Ticket.map(ticket).slice(0, 20) }));
  },
  ticket: (client, ticketId) => one(client.get('Ticket', { ticketId }), ticket),
};

const REPOS = {
  access: [['alexdebrie'], ['ann'], ['none']],
  accessIds: [['alexdebrie'], ['none']],
  reposOf: [['alexdebrie'], ['ann']],
  usersOf: [[['aws', 'dynamodb']], [['none', 'none']]],
  usersFull: [[['aws', 'dynamodb']]],
};

// `from`: the access patterns that list edges of a user and of a repository.
const reposAnswers = (from) => {
  const edges = (client, username) => client.list('UserRepos', { username }, { index: from.user });
  const granted = (edge) => ({ owner: edge.repoOwner, repo: edge.repo, edge: { role: edge.role } });
  const usersOf = async (client, repoOwner, name, full) => {
    const found = await client.get('Repo', { repoOwner, repo: name });
    const users = [];
    for (const { username, role } of await client.list('UserRepos', { repoOwner, repo: name }, { index: from.repo }))
      users.push({ ...(full ? person(await client.get('User', { username })) : { username }), edge: { role } });
    return some([found]).map((each) => ({ ...repo(each), users }));
  };
  return {
    access: async (client, username) => {
      const { User, UserRepos } = await client.together('user', ['User', 'UserRepos'], { username }, { index: from.user });
      return User.map((each) => ({ ...person(each), repos: UserRepos.map(granted) }));
    },
    accessIds: (client, username) => all(edges(client, username), granted),
    reposOf: async (client, username) => {
      const documents = (await edges(client, username)).map(async (edge) => ({
        ...repo(await client.get('Repo', { repoOwner: edge.repoOwner, repo: edge.repo })),
        edge: { role: edge.role },
      }));
      return Promise.all(documents);
    },
    usersOf: (client, [repoOwner, name]) => usersOf(client, repoOwner, name, false),
    usersFull: (client, [repoOwner, name]) => usersOf(client, repoOwner, name, true),
  };
};

const PROJECTS = {
  org: [['o1'], ['none']],
  orgAndProjects: [['o1']],
  projectAndTasks: [[['o1', 'p1']], [['o1', 'p10']], [['o1', 'p2']]],
  task: [[['o1', 'p1', 't1']], [['o1', 'p1', 'none']]],
  tree: [['o1']],
};

const projectsAnswers = (index) => {
  const tasks = (client, orgId, projectId) => all(client.list('Task', { orgId, projectId }, { index }), task);
  const withProjects = async (client, orgId, more) => {
    const { Org, Project } = await client.together('org', ['Org', 'Project'], { orgId });
    const projects = Project.map(async (each) => ({ ...project(each), ...(await more(each)) }));
    const documents = await Promise.all(projects);
    return Org.map((each) => ({ ...organization(each), projects: documents }));
  };
  return {
    org: (client, orgId) => one(client.get('Org', { orgId }), organization),
    orgAndProjects: (client, orgId) => withProjects(client, orgId, () => ({})),
    projectAndTasks: async (client, [orgId, projectId]) => {
      const found = await client.get('Project', { orgId, projectId });
      const documents = await tasks(client, orgId, projectId);
      return some([found]).map((each) => ({ ...project(each), org: orgId, tasks: documents }));
    },
    task: (client, [orgId, projectId, taskId]) =>
      one(client.get('Task', { orgId, projectId, taskId }), (each) => ({ ...task(each), project: [orgId, projectId] })),
    tree: (client, orgId) =>
      withProjects(client, orgId, async ({ projectId }) => ({ tasks: await tasks(client, orgId, projectId) })),
  };
};

const SHOP = { orders: [['ann'], ['none']], items: [[['ann', 7]], [['ann', 70]]], order: [[['ann', 7]]] };

const shopAnswers = (index) => ({
  orders: (client, customerId) => all(client.list('Order', { customerId }, { index, reverse: true }), order),
  items: (client, [customerId, orderNumber]) => all(client.list('OrderItem', { customerId, orderNumber }), line),
  order: async (client, [customerId, orderNumber]) => {
    const items = await all(client.list('OrderItem', { customerId, orderNumber }), line);
    return one(client.get('Order', { customerId, orderNumber }), (each) => ({ ...order(each), customer: customerId, items }));
  },
});

const HR = { teamIds: [['d-1'], ['d-2']], team: [['d-1'], ['d-2']], home: [['e-1'], ['e-5'], ['e-0']] };

// Employees refer to their department: by an index, and a property of their own.
const referringAnswers = (index, name) => ({
  teamIds: (client, id) => all(client.list('Employee', { [name]: id }, { index }), ({ employeeId }) => ({ id: employeeId })),
  team: (client, id) => all(client.list('Employee', { [name]: id }, { index }), employee),
  home: async (client, employeeId) => {
    const found = await client.get('Employee', { employeeId });
    return found ? one(client.get('Department', { departmentId: found[name] }), department) : [];
  },
});

// `from`: the access patterns that list edges of a department and of an employee.
const edgesAnswers = (from) => {
  const staff = (client, departmentId) => client.list('DepartmentStaff', { departmentId }, { index: from.department });
  return {
    teamIds: (client, id) => all(staff(client, id), ({ employeeId }) => ({ id: employeeId })),
    team: async (client, id) => {
      const found = (await staff(client, id)).map(({ employeeId }) => client.get('Employee', { employeeId }));
      return (await Promise.all(found)).map(employee);
    },
    home: async (client, employeeId) => {
      const found = await client.list('DepartmentStaff', { employeeId }, { index: from.employee });
      const homes = found.map(({ departmentId }) => client.get('Department', { departmentId }));
      return (await Promise.all(homes)).map(department);
    },
  };
};

// model, layout, what is asked, how it is answered.
export const CASES = [
  ['orgs', 'default', ORGS, orgsAnswers()],
  ['orgs', 'index', ORGS, orgsAnswers('gsi1')],
  ['support', 'default', SUPPORT, supportAnswers],
  ['support', 'flat', { ...SUPPORT, ticket: [] }, supportAnswers],
  ['repos', 'default', REPOS, reposAnswers({ repo: 'gsi1' })],
  ['repos', 'by_repo', REPOS, reposAnswers({ user: 'gsi1' })],
  ['projects', 'default', PROJECTS, projectsAnswers()],
  ['projects', 'index', PROJECTS, projectsAnswers('gsi1')],
  ['shop', 'default', SHOP, shopAnswers()],
  ['shop', 'index', SHOP, shopAnswers('gsi1')],
  ['hr', 'default', HR, referringAnswers('gsi1', 'departmentId')],
  ['hr', 'method1', HR, referringAnswers('byDepartment', 'department_id')],
  ['hr', 'method2', HR, referringAnswers('byDepartment', 'department_id')],
  ['hr', 'method3', HR, edgesAnswers({ employee: 'relationship' })],
  ['hr', 'method4', HR, edgesAnswers({ department: 'relationship' })],
].map(([model, layout, asked, answers]) => ({ model, layout, asked, answers }));

// What a client can put so that the model finds it whole: kind, properties, change; then a question of the model and its answer
// after put, change and removal.
export const WRITES = [
  {
    model: 'orgs',
    kind: 'User',
    key: { orgName: 'acme', userName: 'zoe' },
    fields: { email: 'zoe@acme.example' },
    change: { role: 'ADMIN' },
    ask: ['user', ['acme', 'zoe']],
    found: { name: 'zoe', org: 'acme', email: 'zoe@acme.example', role: 'MEMBER' },
  },
  {
    model: 'support',
    kind: 'Ticket',
    key: { ticketId: '01HF0000000000000000000009' },
    fields: { orgName: 'acme', userName: 'cid', subject: 'New' },
    change: { subject: 'Newer' },
    ask: ['ticket', '01HF0000000000000000000009'],
    found: { id: '01HF0000000000000000000009', subject: 'New' },
  },
  {
    model: 'repos',
    kind: 'UserRepos',
    key: { username: 'ann', repoOwner: 'alexdebrie', repo: 'book' },
    fields: { role: 'READ' },
    change: { role: 'WRITE' },
    ask: ['accessIds', 'ann'],
    pick: ({ repo: name }) => name === 'book',
    found: { owner: 'alexdebrie', repo: 'book', edge: { role: 'READ' } },
    changed: { edge: { role: 'WRITE' } },
  },
  {
    model: 'projects',
    kind: 'Task',
    key: { orgId: 'o1', projectId: 'p2', taskId: 't9' },
    fields: { title: 'Interview' },
    change: { done: true },
    ask: ['task', ['o1', 'p2', 't9']],
    found: { id: 't9', project: ['o1', 'p2'], title: 'Interview', done: false },
  },
  {
    model: 'shop',
    kind: 'OrderItem',
    key: { customerId: 'ann', orderNumber: 70, orderItemSku: 'saw' },
    fields: { price: 12.5, quantity: 1 },
    change: { quantity: 3 },
    ask: ['items', ['ann', 70]],
    pick: ({ sku }) => sku === 'saw',
    found: { sku: 'saw', price: 12.5, quantity: 1 },
  },
  {
    model: 'hr',
    layout: 'method1',
    kind: 'Employee',
    key: { employeeId: 'e-9' },
    fields: { name: 'Grace', department_id: 'd-2' },
    change: { name: 'Grace H.' },
    ask: ['team', 'd-2'],
    pick: ({ id }) => id === 'e-9',
    found: { id: 'e-9', name: 'Grace' },
  },
  {
    model: 'hr',
    kind: 'Employee',
    key: { employeeId: 'e-9' },
    fields: { name: 'Grace', departmentId: 'd-2', managerId: 'e-3', mentorId: 'e-4' },
    change: { name: 'Grace H.' },
    ask: ['team', 'd-2'],
    pick: ({ id }) => id === 'e-9',
    found: { id: 'e-9', name: 'Grace' },
  },
];
