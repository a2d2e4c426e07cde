// A request as it is written elsewhere: JSON, the AWS CLI, Python, JavaScript.
import type { BuiltRequest } from './question_request';

/** For a POSIX shell. */
export const shellQuoted = (text: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);

const OPTIONS: Record<string, string> = {
  TableName: 'table-name',
  IndexName: 'index-name',
  KeyConditionExpression: 'key-condition-expression',
  FilterExpression: 'filter-expression',
  ProjectionExpression: 'projection-expression',
  ExpressionAttributeNames: 'expression-attribute-names',
  ExpressionAttributeValues: 'expression-attribute-values',
  Limit: 'limit',
};

export const asJson = ({ request }: BuiltRequest): string => JSON.stringify(request, null, 2);

export function asCli({ operation, request }: BuiltRequest, endpoint: string): string {
  const lines = [`aws dynamodb ${operation.toLowerCase()} --endpoint-url ${shellQuoted(endpoint)} --region us-east-1`];
  for (const [name, value] of Object.entries(request)) {
    if (name === 'ScanIndexForward') lines.push(value ? '--scan-index-forward' : '--no-scan-index-forward');
    else if (name === 'ConsistentRead') lines.push('--consistent-read');
    else lines.push(`--${OPTIONS[name]} ${shellQuoted(typeof value === 'string' ? value : JSON.stringify(value))}`);
  }
  return lines.join(' \\\n  ');
}

interface Dialect {
  indent: string;
  isTrue: string;
  isFalse: string;
  isNull: string;
  name: (name: string) => string;
  bytes: (base64: string) => string;
}
const PYTHON: Dialect = { indent: '    ', isTrue: 'True', isFalse: 'False', isNull: 'None', name: JSON.stringify, bytes: (text) => `base64.b64decode(${JSON.stringify(text)})` };
const JAVASCRIPT: Dialect = {
  indent: '  ',
  isTrue: 'true',
  isFalse: 'false',
  isNull: 'null',
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  bytes: (text) => `Buffer.from(${JSON.stringify(text)}, 'base64')`,
};

/** A literal of the language. B of an attribute value is bytes there, not base64. */
function literal(value: unknown, dialect: Dialect, margin: string): string {
  if (value === true) return dialect.isTrue;
  if (value === false) return dialect.isFalse;
  if (value === null) return dialect.isNull;
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = margin + dialect.indent;
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, dialect, inner)).join(', ')}]`;
  const members = Object.entries(value as object);
  const parts = members.map(([name, each]) => {
    const isBytes = name === 'B' && members.length === 1 && typeof each === 'string';
    return `${dialect.name(name)}: ${isBytes ? dialect.bytes(each) : literal(each, dialect, inner)}`;
  });
  const line = `{ ${parts.join(', ')} }`.replace(/^\{ {2}\}$/, '{}');
  const isShort = line.length <= 60 && !line.includes('\n');
  if (dialect === PYTHON && isShort) return line.replace(/^\{ (.*) \}$/, '{$1}');
  return isShort ? line : `{\n${parts.map((part) => inner + part).join(',\n')},\n${margin}}`;
}
const hasBytes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.entries(value).some(([name, each]) => (name === 'B' && typeof each === 'string') || hasBytes(each));

export function asPython({ operation, request }: BuiltRequest, endpoint: string): string {
  const name = operation.toLowerCase();
  const isOne = request.Limit !== undefined;
  const margin = '    ';
  const parts = Object.entries(request).map(([member, value]) => `${margin}${member}=${literal(value, PYTHON, margin)},`);
  return [
    ...(hasBytes(request) ? ['import base64', ''] : []),
    'import boto3',
    '',
    `client = boto3.client("dynamodb", endpoint_url=${JSON.stringify(endpoint)}, region_name="us-east-1")`,
    isOne ? `answer = client.${name}(` : `pages = client.get_paginator("${name}").paginate(`,
    ...parts,
    ')',
    ...(isOne ? ['for item in answer["Items"]:', `${margin}print(item)`] : ['for page in pages:', `${margin}for item in page["Items"]:`, `${margin}${margin}print(item)`]),
  ].join('\n');
}

export function asJavaScript({ operation, request }: BuiltRequest, endpoint: string): string {
  const isOne = request.Limit !== undefined;
  const used = isOne ? `${operation}Command` : `paginate${operation}`;
  const text = literal(request, JAVASCRIPT, '').replace(/^\{ (.*) \}$/, '{ $1 }');
  return [
    `import { DynamoDBClient, ${used} } from '@aws-sdk/client-dynamodb';`,
    '',
    `const client = new DynamoDBClient({ endpoint: ${JSON.stringify(endpoint)}, region: 'us-east-1' });`,
    ...(isOne
      ? [`const answer = await client.send(new ${used}(${text}));`, 'for (const item of answer.Items) console.log(item);']
      : [`for await (const page of ${used}({ client }, ${text})) {`, '  for (const item of page.Items) console.log(item);', '}']),
  ].join('\n');
}
