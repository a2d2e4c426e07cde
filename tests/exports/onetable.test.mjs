// A24: exported schemas, run by OneTable against a server, with the answers of the model.
import { DynamoDBClient } from './aws_sdk.mjs';
import { checkClient } from './client_checks.mjs';

function connect(module, endpoint) {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1' });
  const tables = Object.values(module.connect(client, { warn: false, logger: false }));
  // Its models have the names of tags.
  const tagOf = (kind) => module.KINDS.find(({ name }) => name === kind).tag;
  const tableOf = (kind) => tables.find((each) => each.listModels().includes(tagOf(kind)));
  const modelOf = (kind) => tableOf(kind).getModel(tagOf(kind));
  const indexOf = (kind, index) =>
    index && Object.keys(tableOf(kind).schema.definition.indexes).find((name) => name.toLowerCase() === index.toLowerCase());
  // It looks at keys alone: what lies behind the same beginning is told apart by the type, as the exported comments say.
  const list = async (kind, properties, { index, reverse } = {}) => {
    const where = `\${${tableOf(kind).typeField}} = {${tagOf(kind)}}`;
    return [...(await modelOf(kind).find({ ...properties }, { index: indexOf(kind, index), reverse, where }))];
  };
  return {
    get: (kind, properties) => modelOf(kind).get({ ...properties }),
    list,
    // One query for all of them: the partition is that of the first kind.
    together: async (_, kinds, properties, { index, reverse } = {}) => {
      const table = tableOf(kinds[0]);
      const name = indexOf(kinds[0], index);
      const { hash } = table.schema.definition.indexes[name ?? 'primary'];
      const partition = { [hash]: table.params.value({ name: tagOf(kinds[0]) }, hash, properties, {}) };
      const items = await table.queryItems(partition, { index: name, reverse, parse: true, hidden: true });
      const groups = table.groupByType(items);
      const shown = ([, value]) => value !== undefined;
      return Object.fromEntries(
        kinds.map((kind) => {
          const fields = modelOf(kind).block.fields;
          const isShown = ([property]) => fields[property] && !fields[property].hidden;
          const found = groups[tagOf(kind)] ?? [];
          return [kind, found.map((each) => Object.fromEntries(Object.entries(each).filter(shown).filter(isShown)))];
        }),
      );
    },
    scan: async (kind) => [...(await modelOf(kind).scan({}))],
    replace: (kind, properties) => modelOf(kind).create({ ...properties }, { exists: null }),
    put: (kind, properties) => modelOf(kind).create({ ...properties }),
    change: (kind, properties, change) => modelOf(kind).update({ ...properties, ...change }),
    remove: (kind, properties) => modelOf(kind).remove({ ...properties }),
    close: () => client.destroy(),
  };
}

// It finds items by their type, so tables need a tag.
const UNTAGGED = { kinds: ['Department', 'Employee'], patterns: ['teamIds', 'team', 'home'] };
checkClient('onetable', connect, { 'hr method1': UNTAGGED, 'hr method2': UNTAGGED });
