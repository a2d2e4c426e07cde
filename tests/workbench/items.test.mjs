// A table from its making to its end: items, questions, files, consoles.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, sheaf, startServer } from './server.mjs';

describe('a table of one’s own', () => {
  let server, browser, directory;
  before(async () => {
    server = await startServer({ models: ['hr'] });
    browser = await startBrowser();
    directory = mkdtempSync(join(tmpdir(), 'sheaf-files-'));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const itemOf = async (PK, SK) => (await call(server.url, 'GetItem', { TableName: 'songs', Key: { PK: { S: PK }, SK: { S: SK } } })).Item;

  it('is made, with an index and a stream', async () => {
    const page = await browser.open(server.url, 'tables');
    await page.getByRole('button', { name: 'Create a table' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a table' });
    await dialog.getByLabel('Name', { exact: true }).fill('so');
    await dialog.getByLabel('Partition key').first().fill('PK');
    await dialog.getByLabel('Sort key').first().fill('SK');
    await dialog.getByLabel('Stream').selectOption('NEW_AND_OLD_IMAGES');
    await dialog.getByRole('button', { name: 'Global index' }).click();
    const index = dialog.getByRole('group', { name: 'Index GSI1' });
    await index.getByLabel('Partition key').first().fill('genre');
    await index.getByLabel('Sort key').first().fill('SK');
    await dialog.getByText(/3 to 255 letters/).waitFor();
    await dialog.getByLabel('Name', { exact: true }).first().fill('songs');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'songs' }).waitFor();
    await assertWell(page);
    const { Table } = await call(server.url, 'DescribeTable', { TableName: 'songs' });
    assert.deepEqual([Table.KeySchema.length, Table.GlobalSecondaryIndexes[0].IndexName, Table.StreamSpecification.StreamViewType], [2, 'GSI1', 'NEW_AND_OLD_IMAGES']);
  });

  it('gets items of every type, and saves them on condition that nobody else did', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    await page.getByRole('button', { name: 'New item' }).click();
    let editor = page.getByRole('dialog');
    await editor.getByRole('textbox', { name: 'PK', exact: true }).fill('ARTIST#miles');
    await editor.getByRole('textbox', { name: 'SK', exact: true }).fill('SONG#so-what');
    const add = async (name, type, fill) => {
      await editor.getByRole('button', { name: 'Attribute', exact: true }).click();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Name of new attribute');
      await page.keyboard.type(name);
      await editor.getByLabel(`Type of ${name}`).selectOption(type);
      await fill?.();
    };
    await add('year', 'N', () => editor.getByRole('textbox', { name: 'year', exact: true }).fill('19x'));
    assert.equal(await editor.getByRole('button', { name: 'Create' }).isDisabled(), true);
    await editor.getByRole('textbox', { name: 'year', exact: true }).fill('1959');
    await add('genre', 'S', () => editor.getByRole('textbox', { name: 'genre', exact: true }).fill('jazz'));
    await add('played', 'BOOL');
    await add('tags', 'SS', async () => {
      await editor.getByRole('textbox', { name: 'tags[0]' }).fill('modal');
      await editor.getByRole('button', { name: 'Element of tags' }).click();
      await editor.getByRole('textbox', { name: 'tags[1]' }).fill('cool');
    });
    await editor.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'SONG#so-what' }).waitFor();
    assert.deepEqual(await itemOf('ARTIST#miles', 'SONG#so-what'), {
      PK: { S: 'ARTIST#miles' },
      SK: { S: 'SONG#so-what' },
      year: { N: '1959' },
      genre: { S: 'jazz' },
      played: { BOOL: false },
      tags: { SS: ['cool', 'modal'] },
    });

    // Somebody else is faster.
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'SONG#so-what' }).dblclick();
    editor = page.getByRole('dialog');
    await editor.getByRole('textbox', { name: 'year', exact: true }).fill('1960');
    const other = { TableName: 'songs', Key: { PK: { S: 'ARTIST#miles' }, SK: { S: 'SONG#so-what' } }, UpdateExpression: 'SET #y = :y, label = :l', ExpressionAttributeNames: { '#y': 'year' }, ExpressionAttributeValues: { ':y': { N: '1958' }, ':l': { S: 'Columbia' } } };
    await call(server.url, 'UpdateItem', other);
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('Somebody has changed this item since you opened it.').waitFor();
    assert.equal((await itemOf('ARTIST#miles', 'SONG#so-what')).year.N, '1958');
    await editor.getByRole('button', { name: 'Put my changes on it' }).click();
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.waitFor({ state: 'detached' });
    const merged = await itemOf('ARTIST#miles', 'SONG#so-what');
    assert.deepEqual([merged.year.N, merged.label.S], ['1960', 'Columbia']);
    await assertWell(page, /400/);
  });

  it('keeps what is typed in one field, however long it gets, and gives the focus back', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    const grid = page.getByRole('grid', { name: 'Items of songs' });
    await grid.getByRole('row').filter({ hasText: 'SONG#so-what' }).click();
    await grid.focus();
    await page.keyboard.press('Enter');
    const editor = page.getByRole('dialog');
    await editor.getByRole('textbox', { name: 'genre', exact: true }).click();
    await page.keyboard.press('End');
    const more = ' and much else that one can say of a song that is played slowly at night';
    await page.keyboard.type(more);
    assert.equal(await editor.getByRole('textbox', { name: 'genre', exact: true }).inputValue(), 'jazz' + more);
    page.once('dialog', (asked) => asked.accept());
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    assert.ok(await grid.evaluate((element) => element === document.activeElement), 'the grid has the focus');
    // A dialog begins with its first field, or with what it is there for.
    const button = page.getByRole('button', { name: 'Export' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Export songs' }).waitFor();
    assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Close');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.ok(await button.evaluate((element) => element === document.activeElement), 'the button has the focus');
    await assertWell(page);
  });

  it('tells the history of an item', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'SONG#so-what' }).dblclick();
    const editor = page.getByRole('dialog');
    await editor.getByRole('tab', { name: 'History' }).click();
    await editor.getByText('3 changes').waitFor();
    await editor.getByRole('heading', { name: /^Created/ }).waitFor();
    await assertWell(page);
  });

  it('reads all of a long stream for that, and can be stopped', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    let isHeld = false;
    let asked = 0;
    // 60,000 changes of other items before those of this one.
    await page.route(`${server.url}/`, async (route) => {
      if (route.request().headers()['x-amz-target'] !== 'DynamoDBStreams_20120810.GetRecords' || asked >= 60) return route.continue();
      if (isHeld) return;
      const request = JSON.parse(route.request().postData());
      const number = ++asked;
      if (number === 30) isHeld = true;
      const Records = Array.from({ length: 1000 }, (_, at) => ({ eventID: `${number} ${at}`, eventName: 'INSERT', dynamodb: { ApproximateCreationDateTime: 1, Keys: { PK: { S: 'x' }, SK: { S: String(at) } }, SequenceNumber: '1' } }));
      await route.fulfill({ json: { Records, NextShardIterator: request.ShardIterator } });
    });
    await page.route(`${server.url}/`, async (route) => {
      if (route.request().headers()['x-amz-target'] !== 'DynamoDBStreams_20120810.GetShardIterator' || asked === 0) return route.fallback();
      const { SequenceNumber: _, ...request } = JSON.parse(route.request().postData());
      const answer = await call(server.url, 'GetShardIterator', { ...request, ShardIteratorType: 'TRIM_HORIZON' }, undefined, 'DynamoDBStreams');
      await route.fulfill({ json: answer });
    });
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'SONG#so-what' }).dblclick();
    const editor = page.getByRole('dialog');
    await editor.getByRole('tab', { name: 'History' }).click();
    await editor.getByText('30,000 changes of all items so far').waitFor();
    await editor.getByRole('button', { name: 'Stop' }).click();
    await editor.getByText('Not all was read').waitFor();
    await assertWell(page);
    isHeld = false;
    await editor.getByRole('button', { name: 'Go on' }).click();
    await editor.getByRole('heading', { name: /^Created/ }).waitFor();
    assert.equal(asked, 60);
    await editor.getByRole('button', { name: 'Look again' }).waitFor();
  });

  it('takes items from a file, says which lines it cannot take, and gives all back', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    const file = join(directory, 'songs.csv');
    const lines = Array.from({ length: 60 }, (_, i) => `ARTIST#${i % 3},SONG#${String(i).padStart(3, '0')},${1950 + i},pop`);
    writeFileSync(file, ['PK,SK,year,genre', ...lines, ',SONG#x,1,pop'].join('\n') + '\n');
    await page.getByRole('button', { name: 'Import' }).click();
    let dialog = page.getByRole('dialog', { name: 'Import into songs' });
    await dialog.getByLabel('File').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('60 items written, 1 line failed').waitFor();
    await dialog.getByRole('region', { name: 'Lines that failed' }).getByRole('cell', { name: '62' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'SONG#0' }).first().waitFor();

    await page.getByRole('button', { name: 'Export' }).click();
    dialog = page.getByRole('dialog', { name: 'Export songs' });
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const saved = join(directory, 'songs.jsonl');
    await (await download).saveAs(saved);
    const items = readFileSync(saved, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    assert.equal(items.length, 61);
    await dialog.getByText('Done.').waitFor();
    await assertWell(page);
  });

  it('takes plain JSON, too, in lines or as a list, and says what it is', async () => {
    const page = await browser.open(server.url, 'tables/songs');
    const song = (name) => ({ PK: 'ARTIST#plain', SK: `SONG#${name}`, year: 1999, live: true });
    for (const [name, text, told] of [
      ['lines.jsonl', `${JSON.stringify(song('a'))}\n${JSON.stringify(song('b'))}\n`, /Plain JSON, an item in each line/],
      ['list.json', JSON.stringify([song('c'), song('d')], null, 2), /Plain JSON, a list of items/],
    ]) {
      const file = join(directory, name);
      writeFileSync(file, text);
      await page.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import into songs' });
      await dialog.getByLabel('File').setInputFiles(file);
      await dialog.getByText(told).waitFor();
      await dialog.getByRole('button', { name: 'Import' }).click();
      await dialog.getByText('2 items written').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
    }
    assert.deepEqual(await itemOf('ARTIST#plain', 'SONG#d'), { PK: { S: 'ARTIST#plain' }, SK: { S: 'SONG#d' }, year: { N: '1999' }, live: { BOOL: true } });
    await call(server.url, 'BatchWriteItem', { RequestItems: { songs: ['a', 'b', 'c', 'd'].map((name) => ({ DeleteRequest: { Key: { PK: { S: 'ARTIST#plain' }, SK: { S: `SONG#${name}` } } } })) } });
  });

  it('reads what the command line writes, and writes what it reads', async () => {
    const table = (TableName) => ({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }, { AttributeName: 'code', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [{ IndexName: 'by_code', KeySchema: [{ AttributeName: 'code', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }],
    });
    for (const name of ['first', 'second', 'third']) await call(server.url, 'CreateTable', table(name));
    const items = [
      { PK: { S: 'a' }, code: { S: '12345' }, age: { N: '7' }, tags: { SS: ['x', 'y'] }, bits: { B: 'AAE=' }, empty: { S: '' } },
      { PK: { S: 'b' }, code: { S: 'c' }, age: { S: 'old' }, deep: { M: { k: { NS: ['1', '2'] }, l: { L: [{ BOOL: true }, { NULL: true }] } } }, 'odd:N': { S: 'z' } },
    ];
    for (const Item of items) await call(server.url, 'PutItem', { TableName: 'first', Item });
    const itemsOf = async (TableName) => (await call(server.url, 'Scan', { TableName })).Items.sort((a, b) => (a.PK.S < b.PK.S ? -1 : 1));
    const endpoint = ['--endpoint', server.url];
    const importing = async (name, text, ended = '2 items written') => {
      const page = await browser.open(server.url, 'tables/second');
      writeFileSync(join(directory, name), text);
      await page.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import into second' });
      await dialog.getByLabel('File').setInputFiles(join(directory, name));
      await dialog.getByRole('button', { name: 'Import' }).click();
      await dialog.getByText(ended).waitFor();
      const found = await itemsOf('second');
      for (const { PK } of found) await call(server.url, 'DeleteItem', { TableName: 'second', Key: { PK } });
      await page.context().close();
      return found;
    };
    assert.deepEqual(await importing('dump.jsonl', sheaf('dump', 'first', '--format', 'json', ...endpoint)), items);
    assert.deepEqual(await importing('scan.json', JSON.stringify({ Items: items, Count: 2, ScannedCount: 2, ConsumedCapacity: null }, null, 4)), items);
    // An index's key is of the table's type, whatever it looks like.
    assert.deepEqual((await importing('codes.csv', 'PK,code\na,12345\nb,\n'))[0].code, { S: '12345' });

    const page = await browser.open(server.url, 'tables/first');
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export first' });
    await dialog.getByRole('radio', { name: /CSV/ }).check();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const saved = join(directory, 'first.csv');
    await (await download).saveAs(saved);
    sheaf('load', 'third', saved, ...endpoint);
    assert.deepEqual(await itemsOf('third'), items);
    assert.deepEqual(await importing('again.csv', readFileSync(saved, 'utf8')), items);
    await assertWell(page);
  });

  it('is asked with conditions and filters, and the request can be taken elsewhere', async () => {
    const page = await browser.open(server.url, 'tables');
    const looked = page.waitForResponse((answer) => answer.request().headers()['x-amz-target'] === 'DynamoDB_20120810.Scan');
    await page.goto(`${server.url}/workbench/#/tables/songs?view=query`);
    await looked;
    const form = page.getByRole('form', { name: 'Query builder' });
    await form.getByLabel('PK equals').fill('ARTIST#1');
    await form.getByLabel('Condition on SK').selectOption('begins_with');
    await form.getByLabel('SK value').fill('SONG#00');
    await form.getByRole('checkbox', { name: 'descending' }).check();
    await form.getByRole('button', { name: 'Run the Query' }).click();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('3 items returned').waitFor();
    assert.match(await results.getByRole('row').nth(1).innerText(), /SONG#007/);
    await form.getByRole('button', { name: 'Filter' }).click();
    await form.getByLabel('Attribute of filter 1').fill('year');
    await form.getByLabel('Condition of filter 1').selectOption('>');
    // The type is that of the items; another one is warned of.
    const type = form.getByLabel('Type of the value in filter 1');
    assert.equal(await type.inputValue(), 'N');
    await type.selectOption('S');
    await form.getByText('year was seen as Number only').waitFor();
    await type.selectOption('N');
    await form.getByText('year was seen as').waitFor({ state: 'detached' });
    await form.getByLabel('Value of filter 1').fill('1954');
    await page.keyboard.press('Control+Enter');
    await results.getByText('1 item returned').waitFor();
    await results.getByText('3 scanned').waitFor();
    for (const [name, expected] of [['AWS CLI', /aws dynamodb query/], ['boto3', /KeyConditionExpression/], ['JavaScript', /paginateQuery/]]) {
      await page.getByRole('tab', { name }).click();
      assert.match(await page.getByLabel(`The request as ${name}`, { exact: true }).innerText(), expected);
    }
    // Another index, another key; without a value it is a Scan. Only Run runs it: what is below is of the request before.
    const sent = [];
    page.on('request', (request) => sent.push(request.headers()['x-amz-target']));
    assert.equal(await results.getByText('of the request before').count(), 0);
    await form.getByLabel('From').selectOption('GSI1');
    await form.getByText('Without a partition value').waitFor();
    await results.getByText('of the request before').waitFor();
    await page.waitForTimeout(600);
    await results.getByText('1 item returned').waitFor();
    assert.deepEqual(sent.filter((target) => /Query|Scan/.test(target)), []);
    await form.getByLabel('genre equals').fill('jazz');
    await form.getByRole('button', { name: 'Run the Query' }).click();
    await results.getByRole('row').filter({ hasText: 'SONG#so-what' }).waitFor();
    assert.equal(await results.getByText('of the request before').count(), 0);
    await assertWell(page);
    // A link that has the request in its address runs it.
    await page.reload();
    await results.getByRole('row').filter({ hasText: 'SONG#so-what' }).waitFor();
    // What was typed and not run is there again when one comes back.
    await form.getByLabel('genre equals').fill('blues');
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByRole('tab', { name: 'Query' }).click();
    assert.equal(await form.getByLabel('genre equals').inputValue(), 'blues');
    await results.getByText('of the request before').waitFor();
  });

  it('has consoles that remember', async () => {
    await call(server.url, 'CreateTable', { TableName: 'readings', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'sensor', AttributeType: 'S' }, { AttributeName: 'at', AttributeType: 'N' }], KeySchema: [{ AttributeName: 'sensor', KeyType: 'HASH' }, { AttributeName: 'at', KeyType: 'RANGE' }] });
    const page = await browser.open(server.url, 'tables/readings');
    await page.getByRole('heading', { name: 'readings' }).waitFor();
    await page.getByRole('link', { name: 'PartiQL' }).click();
    await page.getByText('SELECT * FROM "readings" WHERE "sensor" = ?').waitFor();
    await page.getByLabel('Statement').fill('SELECT * FROM "readings"');
    await page.getByText('This is a scan').waitFor();
    await page.getByLabel('Statement').fill(`SELECT SK FROM "songs" WHERE PK = ? AND SK < ?`);
    await page.getByLabel('Parameters', { exact: true }).fill('["ARTIST#1", "SONG#005"]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('cell', { name: 'SONG#004' }).waitFor();
    await page.getByLabel('Statement').fill('SELECT nothing');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').filter({ hasText: 'ValidationException' }).waitFor();
    await page.getByRole('region', { name: 'History' }).getByRole('button', { name: /^SELECT SK FROM/ }).click();
    await page.getByLabel('Statement').getByText('SELECT SK').waitFor();
    await assertWell(page, /400/);

    await page.goto(`${server.url}/workbench/#/tables?console=request`);
    await page.getByLabel('Operation').fill('GetItem');
    await page.getByLabel('Body of the request').getByText('"sensor"').waitFor();
    await page.getByLabel('Operation').fill('DescribeTable');
    await page.getByLabel('Body of the request').fill('{"TableName": "songs"}');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Status 200/).waitFor();
    assert.match(await page.getByLabel('Answer', { exact: true }).innerText(), /"GSI1"/);
    await assertWell(page, /400/);
  });

  it('is deleted by those who can type its name', async () => {
    const page = await browser.open(server.url, 'tables/songs?view=details');
    await page.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog');
    const sure = dialog.getByRole('button', { name: /^Delete/ });
    assert.equal(await sure.isDisabled(), true);
    await dialog.getByRole('textbox').fill('songs');
    await sure.click();
    await page.getByRole('link', { name: 'songs' }).waitFor({ state: 'detached' });
    assert.ok(!(await call(server.url, 'ListTables', {})).TableNames.includes('songs'));
    await assertWell(page);
  });
});
