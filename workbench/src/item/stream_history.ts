// What a table's stream still tells of one item. A stream can only be read from its begin to its end, whatever one looks for:
// that may be long, so that it can be stopped and gone on with. The newest shard is read first.
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

const eventOf = ({ eventID, eventName, userIdentity, dynamodb }: StreamRecord): ItemEvent => ({
  id: eventID,
  kind: eventName,
  time: new Date(dynamodb.ApproximateCreationDateTime * 1000),
  byExpiry: userIdentity?.type === 'Service',
  ...(dynamodb.OldImage ? { before: dynamodb.OldImage } : {}),
  ...(dynamodb.NewImage ? { after: dynamodb.NewImage } : {}),
});

export class HistoryReader {
  private view = '';
  private shards: Shard[] | null = null; // that are left, the next one last
  private passed: string | null = null; // the last record of that one that was looked at
  private readonly found: ItemEvent[][] = []; // of each shard, the newest first
  private looked = 0;

  constructor(
    private readonly arn: string,
    private readonly key: Item,
    private readonly ask: typeof call = call,
  ) {}

  get history(): History {
    return { view: this.view, events: this.found.flatMap((each) => [...each].reverse()), looked: this.looked, isWhole: this.shards?.length === 0 };
  }

  /** Until all is read, or it is stopped; then it goes on where it was. */
  async read(signal: AbortSignal, onProgress: (now: History) => void): Promise<History> {
    this.shards ??= await this.describe(signal);
    while (this.shards.length > 0) {
      if (this.passed === null) this.found.push([]);
      await this.readShard(this.shards.at(-1)!, signal, onProgress);
      this.shards.pop();
      this.passed = null;
    }
    return this.history;
  }

  private async describe(signal: AbortSignal): Promise<Shard[]> {
    const shards: Shard[] = [];
    let from: string | undefined;
    do {
      const { StreamDescription: told } = await this.ask<{ StreamDescription: StreamDescription }>('DescribeStream', { StreamArn: this.arn, ...(from ? { ExclusiveStartShardId: from } : {}) }, signal);
      shards.push(...told.Shards);
      this.view = told.StreamViewType;
      from = told.LastEvaluatedShardId;
    } while (from);
    return shards;
  }
  private async readShard({ ShardId }: Shard, signal: AbortSignal, onProgress: (now: History) => void): Promise<void> {
    const start = this.passed === null ? { ShardIteratorType: 'TRIM_HORIZON' } : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.passed };
    let iterator: string | undefined = (await this.ask<{ ShardIterator: string }>('GetShardIterator', { StreamArn: this.arn, ShardId, ...start }, signal)).ShardIterator;
    const wanted = keyText(this.key);
    // A shard that is written to has no end; after two empty answers all is read.
    for (let empty = 0; iterator && empty < 2; ) {
      const answer: { Records: StreamRecord[]; NextShardIterator?: string } = await this.ask('GetRecords', { ShardIterator: iterator, Limit: 1000 }, signal);
      signal.throwIfAborted();
      for (const record of answer.Records) if (keyText(record.dynamodb.Keys) === wanted) this.found.at(-1)!.push(eventOf(record));
      this.looked += answer.Records.length;
      this.passed = answer.Records.at(-1)?.dynamodb.SequenceNumber ?? this.passed;
      empty = answer.Records.length === 0 ? empty + 1 : 0;
      iterator = answer.NextShardIterator;
      onProgress(this.history);
    }
  }
}
