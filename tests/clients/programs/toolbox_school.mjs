// A school, built with DynamoDB-Toolbox: schools, courses, students, enrollments and errands in one table with three indexes.
import {
  any,
  anyOf,
  binary,
  boolean,
  Entity,
  item,
  list,
  map,
  nul,
  number,
  prefix,
  record,
  set,
  string,
  Table,
  tuple,
} from 'dynamodb-toolbox';
import { attributeDefinitions, documents, keySchema } from '../javascript/server.mjs';
import { storedItem, storedItems } from './stored.mjs';

const KEYS = {
  AttributeDefinitions: attributeDefinitions('pk:S,sk:S', 'left:N', 'gsi1pk:S,gsi1sk:N', 'region:S,kind:S,urgency:N,due:S'),
  LocalSecondaryIndexes: [
    { IndexName: 'byLeft', KeySchema: keySchema('pk:S,left:N'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
  indexes: [
    ['gsi1', 'gsi1pk:S,gsi1sk:N'],
    ['errands', 'region:S,kind:S,urgency:N,due:S', 2],
  ],
};

// A date is a Date to the program and a text in the table.
const isoDate = {
  encode: (date) => date.toISOString(),
  decode: (text) => new Date(text),
};

export async function school(makeTable) {
  const name = await makeTable('pk:S,sk:S', KEYS);
  const key = (attribute, type) => ({ name: attribute, type });
  const table = new Table({
    documentClient: documents,
    name,
    partitionKey: key('pk', 'string'),
    sortKey: key('sk', 'string'),
    indexes: {
      byLeft: { type: 'local', sortKey: key('left', 'number') },
      gsi1: { type: 'global', partitionKey: key('gsi1pk', 'string'), sortKey: key('gsi1sk', 'number') },
      errands: {
        type: 'global',
        partitionKeys: [key('region', 'string'), key('kind', 'string')],
        sortKeys: [key('urgency', 'number'), key('due', 'string')],
      },
    },
  });

  const School = new Entity({
    name: 'School',
    table,
    schema: item({
      id: string().key(),
      title: string(),
      motto: string().optional(),
      founded: any().transform(isoDate).optional(),
      open: boolean().default(true),
    }),
    computeKey: ({ id }) => ({ pk: `SCHOOL#${id}`, sk: 'SCHOOL' }),
  });

  const Course = new Entity({
    name: 'Course',
    table,
    schema: item({
      school: string().key(),
      code: string().key(),
      title: string(),
      level: string().enum('basic', 'advanced').default('basic'),
      teacher: string().optional(),
      seats: number().default(20),
      left: number().optional(),
      visits: number().optional(),
      fee: number().big().optional(),
      topics: set(string()).optional(),
      rooms: set(number()).optional(),
      badges: set(binary()).optional(),
      syllabus: binary().optional(),
      outline: list(map({ chapter: string(), minutes: number().optional() })).optional(),
      prices: record(string(), number()).optional(),
      place: map({ city: string(), geo: tuple(number(), number()), notes: list(string()).optional() }).optional(),
      contact: anyOf(
        map({ by: string().const('mail'), address: string() }),
        map({ by: string().const('none'), why: nul() }),
      ).optional(),
      secret: string().optional().hidden(),
      label: string().optional().savedAs('lbl').transform(prefix('L')),
    }).and(() => ({
      gsi1pk: string()
        .optional()
        .hidden()
        .link(({ teacher }) => teacher && `TEACHER#${teacher}`),
      gsi1sk: number()
        .optional()
        .hidden()
        .link(({ teacher, seats }) => (teacher ? seats : undefined)),
    })),
    computeKey: ({ school: id, code }) => ({ pk: `SCHOOL#${id}`, sk: `COURSE#${code}` }),
  });

  const Student = new Entity({
    name: 'Student',
    table,
    schema: item({ school: string().key(), id: string().key(), name: string(), credits: number().default(0) }),
    computeKey: ({ school: id, id: student }) => ({ pk: `SCHOOL#${id}`, sk: `STUDENT#${student}` }),
  });

  // Many to many: who attends a course is in the table, what somebody attends is in the index.
  const Enrollment = new Entity({
    name: 'Enrollment',
    table,
    schema: item({ code: string().key(), student: string().key(), since: number() }).and(() => ({
      gsi1pk: string()
        .hidden()
        .link(({ student }) => `STUDENT#${student}`),
      gsi1sk: number()
        .hidden()
        .link(({ since }) => since),
    })),
    computeKey: ({ code, student }) => ({ pk: `COURSE#${code}`, sk: `STUDENT#${student}` }),
    timestamps: false,
  });

  const Errand = new Entity({
    name: 'Errand',
    table,
    schema: item({ id: string().key(), region: string(), kind: string(), urgency: number(), due: string() }),
    computeKey: ({ id }) => ({ pk: `ERRAND#${id}`, sk: 'ERRAND' }),
    timestamps: false,
  });

  const timestamps = ['_ct', '_md'];
  return {
    name,
    table,
    School,
    Course,
    Student,
    Enrollment,
    Errand,
    // As stored, without the times at which items were made and changed.
    stored: (pk, sk) => storedItem(name, { pk: { S: pk }, sk: { S: sk } }, timestamps),
    allStored: () => storedItems(name, ['pk', 'sk'], timestamps),
  };
}
