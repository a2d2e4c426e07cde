// The rules of the linter, each with a wrong and a right example, and what they find in the models that are served.
import { useEffect, useState } from 'preact/hooks';
import { counted } from '../parts/amount';
import { ErrorBox, type Loaded, Show, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import type { About, ServedModel } from '../server/workbench';
import { PageText } from './page_text';
import { runCommand } from '../server/workbench';

interface Rule {
  id: string;
  points: string;
  severity: 'note' | 'warning' | 'error';
  text: string;
}
interface Finding {
  file: string;
  line: number;
  column: number;
  severity: 'note' | 'warning' | 'error';
  id: string;
  message: string;
  why?: string;
  fix?: string;
  repair?: unknown;
}

/** The lines of `sheaf model lint --list` up to the first empty one. */
export function rulesOf(list: string): Rule[] {
  const [rules = ''] = list.split(/\n\s*\n/);
  return rules.split('\n').flatMap((line) => {
    const found = /^(\S+)\s+(-|[A-Z]\d+(?: [A-Z]\d+)*)\s+(note|warning|error)\s+(.+)$/.exec(line);
    return found ? [{ id: found[1]!, points: found[2] === '-' ? '' : found[2]!, severity: found[3] as Rule['severity'], text: found[4]!.replace(/ \(a warning\)\.?$/, '.') }] : [];
  });
}

let kept: Promise<Rule[]> | null = null;
const loadRules = (): Promise<Rule[]> => {
  kept ??= runCommand(['model', 'lint', '--list']).then((run) => rulesOf(run.output));
  kept.catch(() => (kept = null));
  return kept;
};
const pages = new Map<string, string>();
async function explain(rule: string, signal: AbortSignal): Promise<string> {
  const known = pages.get(rule);
  if (known !== undefined) return known;
  const { output } = await runCommand(['model', 'lint', '--explain', rule], { signal });
  pages.set(rule, output);
  return output;
}
async function findingsOf(models: ServedModel[]): Promise<Finding[]> {
  if (models.length === 0) return [];
  const files = Object.fromEntries(models.map((each) => [`${each.name}.sheaf`, each.text]));
  const { output } = await runCommand(['model', 'lint', ...Object.keys(files), '--all-layouts', '--json'], { files, accepts: [0, 1] });
  return JSON.parse(output) as Finding[];
}
const modelOf = (finding: Finding) => finding.file.replace(/^.*\//, '').replace(/\.sheaf$/, '');

export function LintPage({ known, rule }: { known: Loaded<About>; rule: string | null }) {
  const rules = useLoaded(loadRules, []);
  const models = known.value?.models ?? [];
  const findings = useLoaded(() => (known.value ? findingsOf(models) : Promise.resolve(null)), [known.value]);
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    document.title = 'The linter · Learn · Sheaf';
  }, []);
  const found = findings.value ?? [];
  return (
    <div class="page learn lint">
      <div class="row way">
        <a href={linkTo('learn')}>Learn</a>
      </div>
      <h1>What the linter knows</h1>
      <p class="lead">What is wrong with a model is told as you type. The linter tells what will hurt later: anti-patterns, and sizes that come near a limit.</p>
      <section class="sheet">
        <h2>In the models that are served</h2>
        {known.error && <ErrorBox error={known.error} onRetry={known.again} />}
        {findings.error && <ErrorBox error={findings.error} onRetry={findings.again} />}
        {!findings.error && !findings.value && !known.error && <p class="soft">Looking…</p>}
        {findings.value && <Findings of={found} models={models.length} />}
      </section>
      <div class="rules">
        <section class="sheet">
          <div class="row">
            <h2 class="grow">Rules</h2>
            <input type="search" placeholder="Find a rule" aria-label="Find a rule" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
          </div>
          <Show of={rules}>
            {(all) => {
              const shown = all.filter((each) => `${each.id} ${each.text} ${each.points}`.toLowerCase().includes(wanted.toLowerCase()));
              if (shown.length === 0) return <p class="soft">No rule has “{wanted}” in it.</p>;
              return (
                <ul class="rule-list">
                  {shown.map((each) => {
                    const times = found.filter((finding) => finding.id === each.id).length;
                    return (
                      <li key={each.id}>
                        <a href={linkTo('learn', ['lint', each.id])} aria-current={each.id === rule ? 'true' : undefined}>
                          <span class="row">
                            <b class="mono">{each.id}</b>
                            <span class={`badge ${each.severity}`}>{each.severity}</span>
                            {times > 0 && <span class="badge">{counted(times, 'finding', 'findings')}</span>}
                          </span>
                          <span>{each.text}</span>
                        </a>
                      </li>
                    );
                  })}
                </ul>
              );
            }}
          </Show>
        </section>
        <section class="sheet explained" aria-live="polite">
          {rule === null ? (
            <p class="soft">Choose a rule: it is explained here, with a wrong and a right example.</p>
          ) : (
            <Explained key={rule} rule={rule} findings={found.filter((each) => each.id === rule)} />
          )}
        </section>
      </div>
    </div>
  );
}

function Explained({ rule, findings }: { rule: string; findings: Finding[] }) {
  const page = useLoaded((signal) => explain(rule, signal), [rule]);
  return (
    <>
      <h2>
        <code>{rule}</code>
      </h2>
      <Show of={page}>{(text) => <PageText text={text} />}</Show>
      {findings.length > 0 && (
        <>
          <h3>Found in</h3>
          <FindingList of={findings} />
        </>
      )}
    </>
  );
}

function Findings({ of, models }: { of: Finding[]; models: number }) {
  const [showsAll, setShowsAll] = useState(false);
  if (models === 0)
    return (
      <p>
        No model is served. <a href={linkTo('model')}>Write one</a>.
      </p>
    );
  if (of.length === 0) return <p>Nothing is found in {counted(models, 'model', 'models')}, in none of their layouts.</p>;
  const FEW = 5;
  return (
    <>
      <p class="soft">
        {counted(of.length, 'finding', 'findings')} in {counted(models, 'model', 'models')}, over all of their layouts. Examples show mistakes on purpose.
      </p>
      <FindingList of={showsAll ? of : of.slice(0, FEW)} />
      {of.length > FEW && (
        <button class="plain" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fewer' : `All ${of.length}`}
        </button>
      )}
    </>
  );
}

function FindingList({ of }: { of: Finding[] }) {
  return (
    <ul class="lint-findings">
      {of.map((finding, at) => (
        <li key={at}>
          <span class={`badge ${finding.severity}`}>{finding.severity}</span>{' '}
          <a href={linkTo('model', [modelOf(finding)], { view: 'lint' })}>
            {modelOf(finding)}, line {finding.line}
          </a>
          : {finding.message}{' '}
          <a class="mono soft" href={linkTo('learn', ['lint', finding.id])}>
            {finding.id}
          </a>
          {finding.fix && (
            <div class="soft">
              {finding.fix[0]!.toUpperCase() + finding.fix.slice(1)}.{finding.repair !== undefined && ' The Model page can do it for you.'}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
