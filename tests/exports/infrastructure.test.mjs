// A24: all layouts of all examples as infrastructure code, each read by its own tool; all of them make the same tables.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { parse } from '@cdktf/hcl2json';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import ts from 'typescript';
import { allLayouts, exported, folder } from './sheaf.mjs';
import { apiShape, byName, terraformMistakes, terraformShape } from './table_shapes.mjs';

const scratch = folder();
const layouts = await allLayouts();
const stem = (model, layout) => `${model}_${layout}`;

// What `sheaf model apply` makes, as create_table.test.mjs proves.
async function wanted(model, layout) {
  const requests = JSON.parse(await exported(model, 'create-table', layout));
  const expiring = new Map(requests.UpdateTimeToLive.map((each) => [each.TableName, each.TimeToLiveSpecification.AttributeName]));
  return byName(requests.CreateTable.map((table) => apiShape(table, expiring.get(table.TableName))));
}

// Protection, backups and billing beside what the shapes have.
function checkSafety(resources) {
  for (const { Properties, DeletionPolicy, UpdateReplacePolicy } of Object.values(resources)) {
    assert.equal(Properties.BillingMode, 'PAY_PER_REQUEST');
    assert.equal(Properties.DeletionProtectionEnabled, true);
    assert.equal(Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled, true);
    assert.deepEqual([DeletionPolicy, UpdateReplacePolicy], ['Retain', 'Retain']);
  }
}

const tablesOf = (template) => byName(Object.values(template.Resources).map(({ Properties }) => apiShape(Properties)));

async function templateFile(model, layout) {
  const path = join(scratch, `${stem(model, layout)}.yaml`);
  writeFileSync(path, await exported(model, 'cloudformation', layout));
  return path;
}

test('CloudFormation templates are fine for its validator, which finds what is not', async () => {
  const engine = new CelEngine();
  const worse = (path) => engine.validateStandard(new TemplateFile(path)).diagnostics.filter(({ severity }) => severity !== 'INFO');
  for (const [model, layout] of layouts) assert.deepEqual(worse(await templateFile(model, layout)), [], `${model} ${layout}`);
  const wrong = join(scratch, 'wrong.yaml');
  writeFileSync(wrong, (await exported('orgs', 'cloudformation')).replace('BillingMode', 'BilingMode'));
  assert.match(worse(wrong)[0].message, /BilingMode/);
  engine.free();
});

test('CloudFormation templates make the tables', async () => {
  for (const [model, layout] of layouts) {
    const stack = new Stack(new App(), 'Tables');
    new CfnInclude(stack, 'Template', { templateFile: await templateFile(model, layout) });
    const template = Template.fromStack(stack).toJSON();
    checkSafety(template.Resources);
    assert.deepEqual(tablesOf(template), await wanted(model, layout), `${model} ${layout}`);
  }
});

test('CDK stacks compile under strict rules and make the tables', async () => {
  const files = [];
  for (const [model, layout] of layouts) {
    files.push(join(scratch, `${stem(model, layout)}.ts`));
    writeFileSync(files.at(-1), await exported(model, 'cdk', layout));
  }
  const program = ts.createProgram(files, {
    strict: true,
    noUnusedLocals: true,
    noEmitOnError: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
  });
  const found = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  assert.deepEqual(
    found.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
    [],
  );
  const require = createRequire(join(scratch, 'stacks.cjs'));
  for (const [model, layout] of layouts) {
    const [TheStack] = Object.values(require(`./${stem(model, layout)}.js`));
    const template = Template.fromStack(new TheStack(new App(), 'Tables')).toJSON();
    checkSafety(template.Resources);
    assert.deepEqual(tablesOf(template), await wanted(model, layout), `${model} ${layout}`);
  }
});

test('Terraform resources are HCL with arguments of aws_dynamodb_table, and make the tables', async () => {
  for (const [model, layout] of layouts) {
    const text = await exported(model, 'terraform', layout);
    const parsed = await parse(`${stem(model, layout)}.tf`, text);
    assert.deepEqual(Object.keys(parsed), ['resource', 'terraform']);
    assert.deepEqual(Object.keys(parsed.resource), ['aws_dynamodb_table']);
    const resources = Object.values(parsed.resource.aws_dynamodb_table).map(([resource]) => resource);
    for (const resource of resources) {
      assert.deepEqual(terraformMistakes(resource), [], `${model} ${layout}`);
      assert.equal(resource.billing_mode, 'PAY_PER_REQUEST');
      assert.equal(resource.deletion_protection_enabled, true);
      assert.equal(resource.point_in_time_recovery[0].enabled, true);
      assert.equal(resource.lifecycle[0].prevent_destroy, true);
    }
    // In HCL $${ stands for ${; the parser leaves it as it is written.
    const shapes = JSON.parse(JSON.stringify(resources.map(terraformShape)).replaceAll('$${', '${'));
    assert.deepEqual(byName(shapes), await wanted(model, layout), `${model} ${layout}`);
  }
  await assert.rejects(parse('wrong.tf', (await exported('orgs', 'terraform')).replace('{', '')));
  assert.deepEqual(terraformMistakes({ name: 'a', hash_key: 'pk', range: 'sk', attribute: [{ name: 'other', type: 'S' }] }), [
    'the table has no argument range',
    'no key uses the attribute other',
    'the key pk is no attribute',
  ]);
});

test('comments say which relations need an index, and which do not', async () => {
  for (const [format, mark] of [
    ['cloudformation', '#'],
    ['cdk', '//'],
    ['terraform', '#'],
  ]) {
    const support = await exported('support', format);
    assert.ok(support.includes(`${mark}   Org.users / User.org: one item collection with Org; no index needed\n`));
    assert.ok(support.includes(`${mark}   User.tickets / Ticket.owner: a reference on Ticket, and index GSI1\n`));
    assert.ok(support.includes(`Whoever writes through the model needs it.`));
    assert.ok((await exported('addresses', format)).includes('embedded in Customer; no index needed\n'));
    assert.ok((await exported('billing', format)).includes('index GSI_1 for those who ask from the other side\n'));
  }
});

test('the same model gives the same text', async () => {
  for (const format of ['cloudformation', 'cdk', 'terraform', 'create-table', 'workbench', 'electrodb', 'onetable'])
    assert.equal(await exported('customers', format), await exported('customers', format));
});
