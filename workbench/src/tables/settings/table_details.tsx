// The settings of a table: keys, indexes, stream, time to live, throughput, tags.
import { useEffect, useState } from 'preact/hooks';
import { byteText, count, counted } from '../../parts/amount';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { ErrorBox, useLoaded } from '../../parts/loaded';
import { go } from '../../parts/place';
import { forWriters } from '../../parts/roles';
import { tell, tellError } from '../../parts/toasts';
import { call, deleteTable, type Index, indexesOf, type KeyElement, type Table } from '../../server/dynamo';
import { IndexFields } from './index_fields';
import { StreamAndExpiry } from './stream_and_expiry';
import { addIndexRequest, newIndex } from './table_request';

interface Parts {
  table: Table;
  owner: string | null; // a served model
  onAgain: () => void;
  onListChange: () => void;
}

const keyText = (schema: KeyElement[]) =>
  (['HASH', 'RANGE'] as const)
    .map((type) =>
      schema
        .filter((each) => each.KeyType === type)
        .map((each) => each.AttributeName)
        .join(' · '),
    )
    .filter((text) => text !== '')
    .join(', ');
const holds = ({ Projection }: Index) => {
  if (Projection?.ProjectionType === 'KEYS_ONLY') return 'keys only';
  if (Projection?.ProjectionType === 'INCLUDE') return `keys, ${(Projection.NonKeyAttributes ?? []).join(', ')}`;
  return 'all attributes';
};

export function TableDetails({ table, owner, onAgain, onListChange }: Parts) {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const globals = table.GlobalSecondaryIndexes ?? [];
  const isMoving = table.TableStatus !== 'ACTIVE' || globals.some((each) => each.IndexStatus !== undefined && each.IndexStatus !== 'ACTIVE');
  // While something is being made, it is looked at again and again.
  useEffect(() => {
    if (!isMoving) return;
    const timer = setTimeout(onAgain, 1000);
    return () => clearTimeout(timer);
  }, [table, isMoving]);
  const unprotect = async () => {
    try {
      await call('UpdateTable', { TableName: table.TableName, DeletionProtectionEnabled: false });
      tell(`${table.TableName} is not protected any more`);
      onAgain();
    } catch (error) {
      tellError(error);
    }
  };
  const types = new Map(table.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const provisioned = (table.BillingModeSummary?.BillingMode ?? 'PROVISIONED') === 'PROVISIONED';
  return (
    <div class="page details">
      <section class="sheet">
        <h3>Table</h3>
        <dl>
          <dt>Key</dt>
          <dd class="mono">{table.KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType === 'HASH' ? 'partition' : 'sort'}, ${types.get(AttributeName)})`).join(', ')}</dd>
          <dt>Status</dt>
          <dd>{table.TableStatus}</dd>
          <dt>Items</dt>
          <dd>
            {count(table.ItemCount)}, {byteText(table.TableSizeBytes)}
          </dd>
          <dt>Billing</dt>
          <dd>{provisioned ? `${count(table.ProvisionedThroughput?.ReadCapacityUnits ?? 0)} read units, ${count(table.ProvisionedThroughput?.WriteCapacityUnits ?? 0)} write units` : 'on demand'}</dd>
          <dt>Protected</dt>
          <dd>{table.DeletionProtectionEnabled ? 'against deletion' : 'no'}</dd>
          <dt>ARN</dt>
          <dd class="mono">{table.TableArn}</dd>
        </dl>
      </section>
      <section class="sheet">
        <div class="row">
          <h3 class="grow">Indexes</h3>
          <button {...forWriters()} onClick={() => setAdding(true)}>
            <Icon name="plus" /> Add an index
          </button>
        </div>
        {indexesOf(table).length === 0 ? (
          <p class="soft">None. A global index groups the same items by other attributes.</p>
        ) : (
          <div class="scrolled">
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Key</th>
                  <th scope="col">Holds</th>
                  <th scope="col" class="number">
                    Items
                  </th>
                  <th scope="col" class="number">
                    Size
                  </th>
                  <th scope="col">Status</th>
                  <th scope="col">
                    <span class="hidden-text">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {indexesOf(table).map((index) => {
                  const isGlobal = globals.includes(index);
                  return (
                    <tr key={index.IndexName}>
                      <th scope="row">{index.IndexName}</th>
                      <td class="mono">{keyText(index.KeySchema)}</td>
                      <td>{holds(index)}</td>
                      <td class="number">{count(index.ItemCount ?? 0)}</td>
                      <td class="number">{byteText(index.IndexSizeBytes ?? 0)}</td>
                      <td>{isGlobal ? (index.IndexStatus ?? '') : 'local'}</td>
                      <td>
                        {isGlobal && (
                          <button class="plain" aria-label={`Remove the index ${index.IndexName}`} disabled={index.IndexStatus !== 'ACTIVE'} {...forWriters()} onClick={() => setRemoving(index.IndexName)}>
                            <Icon name="trash" />
                          </button>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <StreamAndExpiry table={table} onAgain={onAgain} />
      <Tags table={table} />
      <section class="sheet">
        <h3>Delete</h3>
        <p class="soft">The table goes with all of its items and indexes. Nothing brings them back.</p>
        {table.DeletionProtectionEnabled ? (
          <div class="row">
            <span class="grow">It is protected against deletion. Turn that off first, and it can be deleted here.</span>
            <button {...forWriters()} onClick={() => void unprotect()}>
              Turn it off
            </button>
          </div>
        ) : (
          <button class="danger" {...forWriters()} onClick={() => setDeleting(true)}>
            <Icon name="trash" /> Delete this table
          </button>
        )}
      </section>
      {isAdding && <AddIndex table={table} onClose={() => setAdding(false)} onAgain={onAgain} />}
      {removing !== null && (
        <NameAgain
          title={`Remove the index ${removing}`}
          name={removing}
          text="Items stay in the table; only this way to find them goes."
          action="Remove it"
          onClose={() => setRemoving(null)}
          onSure={async () => {
            await call('UpdateTable', { TableName: table.TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: removing } }] });
            tell(`${removing} is being removed`);
            setRemoving(null);
            onAgain();
          }}
        />
      )}
      {isDeleting && (
        <NameAgain
          title={`Delete ${table.TableName}`}
          name={table.TableName}
          text={`${counted(table.ItemCount, 'item', 'items')} will be gone.${owner === null ? '' : ` The table belongs to the model ${owner}, which is served: its patterns and operations cannot work without it.`}`}
          action="Delete it"
          onClose={() => setDeleting(false)}
          onSure={async () => {
            await deleteTable(table.TableName);
            tell(`${table.TableName} was deleted`);
            onListChange();
            go('tables');
          }}
        />
      )}
    </div>
  );
}

function Tags({ table }: { table: Table }) {
  const tags = useLoaded(async () => (await call<{ Tags?: { Key: string; Value: string }[] }>('ListTagsOfResource', { ResourceArn: table.TableArn })).Tags ?? [], [table]);
  return (
    <section class="sheet">
      <h3>Tags</h3>
      {tags.error ? (
        <ErrorBox error={tags.error} onRetry={tags.again} />
      ) : (tags.value ?? []).length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <dl>
          {tags.value!.map(({ Key, Value }) => (
            <>
              <dt>{Key}</dt>
              <dd>{Value}</dd>
            </>
          ))}
        </dl>
      )}
    </section>
  );
}

function AddIndex({ table, onClose, onAgain }: { table: Table; onClose: () => void; onAgain: () => void }) {
  const [draft, setDraft] = useState(() => newIndex('global', `GSI${(table.GlobalSecondaryIndexes ?? []).length + 1}`));
  const [error, setError] = useState<Error | null>(null);
  const add = async () => {
    try {
      await call('UpdateTable', addIndexRequest(table, draft));
      tell(`${draft.name} is being made`);
      onAgain();
      onClose();
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <Dialog title={`Add an index to ${table.TableName}`} onClose={onClose} onSubmit={() => void add()} footer={<button class="primary">Add it</button>}>
      {error && <ErrorBox error={error} />}
      <p class="soft">A global index. It is filled with the items that are there, and used as soon as it is ACTIVE.</p>
      <IndexFields index={draft} onChange={setDraft} />
    </Dialog>
  );
}

interface NameParts {
  title: string;
  name: string;
  text: string;
  action: string;
  onClose: () => void;
  onSure: () => Promise<void>;
}
/** Goes on once the name was typed. */
function NameAgain({ title, name, text, action, onClose, onSure }: NameParts) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<Error | null>(null);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => typed === name && void onSure().catch(setError)}
      footer={
        <button class="danger" disabled={typed !== name}>
          {action}
        </button>
      }
    >
      {error && <ErrorBox error={error} />}
      <p>{text}</p>
      <label class="field">
        To be sure, type its name: {name}
        <input value={typed} spellcheck={false} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
    </Dialog>
  );
}
