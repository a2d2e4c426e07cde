// What a table's stream still tells of one item.
import { call } from '../server/dynamo';
import { type Item, keyText } from './value';

interface Shard {
  ShardId: string;
  ParentShardId?: string;
}
interface StreamDescription {
  StreamStatus: string;
  StreamViewType: string;
  Shards: Shard[];
  LastEvaluatedShardId?: string;
}
interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  userIdentity?: { type?: string };
  dynamodb: { ApproximateCreationDateTime: number; Keys: Item; NewImage?: Item; OldImage?: Item; SequenceNumber: string };
}
export interface ItemEvent {
  id: string;
  kind: 'INSERT' | 'MODIFY' | 'REMOVE';
  time: Date;
  byExpiry: boolean;
  before?: Item;
  after?: Item;
}
export interface History {
  view: string;
  events: ItemEvent[]; // the newest first
  looked: number; // records that were read
  isWhole: boolean;
}

const RECORDS_MAX = 50_000;

async function describe(arn: string, signal: AbortSignal): Promise<{ shards: Shard[]; view: string }> {
  const shards: Shard[] = [];
  let from: string | undefined;
  let view = '';
  do {
    const { StreamDescription: told } = await call<{ StreamDescription: StreamDescription }>('DescribeStream', { StreamArn: arn, ...(from ? { ExclusiveStartShardId: from } : {}) }, signal);
    shards.push(...told.Shards);
    view = told.StreamViewType;
    from = told.LastEvaluatedShardId;
  } while (from);
  return { shards, view };
}

export async function historyOf(arn: string, key: Item, signal: AbortSignal, onProgress: (looked: number) => void): Promise<History> {
  const { shards, view } = await describe(arn, signal);
  const wanted = keyText(key);
  const events: ItemEvent[] = [];
  let looked = 0;
  for (const shard of shards) {
    let iterator: string | undefined = (
      await call<{ ShardIterator: string }>('GetShardIterator', { StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' }, signal)
    ).ShardIterator;
    let empty = 0;
    // A shard that is written to has no end; after two empty answers all is read.
    while (iterator && empty < 2 && looked < RECORDS_MAX) {
      const answer: { Records: StreamRecord[]; NextShardIterator?: string } = await call('GetRecords', { ShardIterator: iterator, Limit: 1000 }, signal);
      looked += answer.Records.length;
      onProgress(looked);
      for (const { eventID, eventName, userIdentity, dynamodb } of answer.Records) {
        if (keyText(dynamodb.Keys) !== wanted) continue;
        events.push({
          id: eventID,
          kind: eventName,
          time: new Date(dynamodb.ApproximateCreationDateTime * 1000),
          byExpiry: userIdentity?.type === 'Service',
          ...(dynamodb.OldImage ? { before: dynamodb.OldImage } : {}),
          ...(dynamodb.NewImage ? { after: dynamodb.NewImage } : {}),
        });
      }
      empty = answer.Records.length === 0 ? empty + 1 : 0;
      iterator = answer.NextShardIterator;
    }
  }
  return { view, events: events.reverse(), looked, isWhole: looked < RECORDS_MAX };
}
