// What is stored, read by the AWS SDK itself, so that a library's own view of it proves nothing.
import { GetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { client } from '../javascript/server.mjs';

// The item as attribute values, without the attributes in `except`; undefined where there is none.
export async function storedItem(TableName, Key, except = []) {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
  return Item && without(Item, except);
}

// All items, in the order of the text of their keys.
export async function storedItems(TableName, keys = ['pk', 'sk'], except = []) {
  const items = [];
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true })) items.push(...page.Items);
  const order = (item) => keys.map((key) => item[key].S ?? item[key].N).join(' ');
  return items.sort((one, other) => (order(one) < order(other) ? -1 : 1)).map((item) => without(item, except));
}

const without = (item, except) => Object.fromEntries(Object.entries(item).filter(([name]) => !except.includes(name)));
