// The packages of the tests of clients, which lie in the folder beside this one.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../clients/package.json', import.meta.url));
export const {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} = require('@aws-sdk/client-dynamodb');
