// A shelter for animals, built with Dynamoose: it makes its own tables.
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import dynamoose from 'dynamoose';
import { clientOptions } from '../javascript/server.mjs';
import { storedItem, storedItems } from './stored.mjs';

dynamoose.aws.ddb.set(new DynamoDB(clientOptions));

// Makes the table, or brings it up to date, and waits for it.
export async function makeTable(name, models, options = {}) {
  const waitForActive = { enabled: true, check: { timeout: 20_000, frequency: 10 } };
  const table = new dynamoose.Table(name, models, { initialize: false, throughput: 'ON_DEMAND', waitForActive, ...options });
  await table.initialize();
  return table;
}

const { Schema, type } = dynamoose;
const nested = (schema) => ({ type: Object, schema });

export const animalSchema = () =>
  new Schema(
    {
      shelter: { type: String, hashKey: true },
      id: { type: String, rangeKey: true },
      name: { type: String, required: true, validate: (name) => name.length < 100 },
      species: { type: String, enum: ['cat', 'dog', 'owl'], index: { name: 'bySpecies', type: 'global', rangeKey: 'weight' } },
      weight: Number,
      arrived: { type: Date, index: { name: 'byArrival', type: 'local', project: ['name'] } },
      born: { type: { value: Date, settings: { storage: 'iso' } } },
      checked: { type: { value: Date, settings: { storage: 'seconds' } } },
      chipped: { type: Boolean, default: false },
      photo: Buffer,
      tags: { type: Set, schema: [String] },
      scores: { type: Set, schema: [Number] },
      prints: { type: Set, schema: [Buffer] },
      meals: { type: Array, schema: [nested({ at: String, grams: Number })] },
      home: nested({ room: String, size: nested({ w: Number, h: Number }) }),
      note: [String, type.NULL],
      visits: Number,
      secret: { type: String, get: (value) => value && `*${value}`, set: (value) => value.toUpperCase() },
      misc: Object,
    },
    { saveUnknown: ['misc.**'], timestamps: { createdAt: 'made', updatedAt: 'changed' } },
  );

const TIMES = ['made', 'changed'];

// A table of animals alone, with two indexes.
export async function shelter(uniqueName) {
  const name = uniqueName();
  const Animal = dynamoose.model(`Animal ${name}`, animalSchema());
  const table = await makeTable(name, [Animal]);
  return {
    name,
    table,
    Animal,
    // As stored, without the times at which items were made and changed.
    stored: (of, id) => storedItem(name, { shelter: { S: of }, id: { S: id } }, TIMES),
    allStored: () => storedItems(name, ['shelter', 'id'], TIMES),
  };
}

// What an item holds, as a plain object.
export const fields = (item) => Object.fromEntries(Object.entries(item));
