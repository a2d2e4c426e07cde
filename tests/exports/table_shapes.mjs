// Tables as CloudFormation, Terraform and the API describe them, brought into one form, so that they can be compared.

const attributeTypes = (definitions) => Object.fromEntries(definitions.map((each) => [each.AttributeName, each.AttributeType]));

const keyShape = (schema, types) => schema.map((part) => `${part.KeyType} ${part.AttributeName} ${types[part.AttributeName]}`);

// The properties of an AWS::DynamoDB::Table, a CreateTable request, or the description of a table.
export function apiShape(table, ttl = table.TimeToLiveSpecification?.AttributeName) {
  const types = attributeTypes(table.AttributeDefinitions);
  const indexes = (table.GlobalSecondaryIndexes ?? []).map((index) => ({
    name: index.IndexName,
    key: keyShape(index.KeySchema, types),
    projection: index.Projection.ProjectionType,
    included: [...(index.Projection.NonKeyAttributes ?? [])].sort(),
  }));
  return {
    name: table.TableName,
    key: keyShape(table.KeySchema, types),
    attributes: Object.keys(types).sort(),
    indexes: indexes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ttl: ttl ?? null,
  };
}

const ALLOWED = {
  name: 'string',
  billing_mode: 'string',
  hash_key: 'string',
  range_key: 'string',
  deletion_protection_enabled: 'boolean',
};
// Blocks of the provider's aws_dynamodb_table: their arguments, with a ! if they are required.
const BLOCKS = {
  attribute: { 'name!': 'string', 'type!': 'string' },
  global_secondary_index: {
    'name!': 'string',
    'hash_key!': 'string',
    range_key: 'string',
    'projection_type!': 'string',
    non_key_attributes: 'object',
  },
  ttl: { 'attribute_name!': 'string', 'enabled!': 'boolean' },
  point_in_time_recovery: { 'enabled!': 'boolean' },
  lifecycle: { prevent_destroy: 'boolean' },
};
const ONCE = ['ttl', 'point_in_time_recovery', 'lifecycle'];

// What is wrong with the arguments of an aws_dynamodb_table.
export function terraformMistakes(resource) {
  const mistakes = [];
  const check = (where, values, allowed) => {
    const names = new Map(Object.entries(allowed).map(([name, type]) => [name.replace('!', ''), type]));
    for (const [name, value] of Object.entries(values)) {
      if (!names.has(name)) mistakes.push(`${where} has no argument ${name}`);
      else if (typeof value !== names.get(name)) mistakes.push(`${where}.${name} is no ${names.get(name)}`);
    }
    for (const name of Object.keys(allowed)) {
      if (name.endsWith('!') && !(name.slice(0, -1) in values)) mistakes.push(`${where} lacks ${name.slice(0, -1)}`);
    }
  };
  const own = Object.fromEntries(Object.entries(resource).filter(([name]) => !(name in BLOCKS)));
  check('the table', own, { ...ALLOWED, 'name!': 'string', 'hash_key!': 'string' });
  for (const [block, allowed] of Object.entries(BLOCKS)) {
    const blocks = resource[block] ?? [];
    if (ONCE.includes(block) && blocks.length > 1) mistakes.push(`${block} more than once`);
    for (const values of blocks) check(block, values, allowed);
  }
  // The provider refuses attributes that no key uses, and keys without an attribute.
  const defined = (resource.attribute ?? []).map(({ name }) => name);
  const used = [resource, ...(resource.global_secondary_index ?? [])].flatMap((each) => [each.hash_key, each.range_key]);
  for (const name of defined) if (!used.includes(name)) mistakes.push(`no key uses the attribute ${name}`);
  for (const name of used) if (name && !defined.includes(name)) mistakes.push(`the key ${name} is no attribute`);
  return mistakes;
}

export function terraformShape(resource) {
  const types = Object.fromEntries(resource.attribute.map(({ name, type }) => [name, type]));
  const key = ({ hash_key: hash, range_key: range }) => [
    `HASH ${hash} ${types[hash]}`,
    ...(range ? [`RANGE ${range} ${types[range]}`] : []),
  ];
  const indexes = (resource.global_secondary_index ?? []).map((index) => ({
    name: index.name,
    key: key(index),
    projection: index.projection_type,
    included: [...(index.non_key_attributes ?? [])].sort(),
  }));
  return {
    name: resource.name,
    key: key(resource),
    attributes: Object.keys(types).sort(),
    indexes: indexes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ttl: resource.ttl?.[0].attribute_name ?? null,
  };
}

export const byName = (shapes) => Object.fromEntries(shapes.map((shape) => [shape.name, shape]));
