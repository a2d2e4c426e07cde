// The tabs beside the text.
import { useEffect, useState } from 'preact/hooks';
import { adjust, place } from '../parts/place';
import { type Tab, Tabs } from '../parts/tabs';
import { tell } from '../parts/toasts';
import { askLanguage, type Diagnostic, type Range } from '../server/workbench';
import { advise, type RelationAdvice, type Told } from './advice';
import { Diagram } from './diagram_view';
import { EntityCharts } from './entities_view';
import { ShowView, useView } from './kept_view';
import { Layouts } from './layouts_view';
import { Findings } from './lint_view';
import { charts, drawRelations, lint, sampleTables } from './model_commands';
import { Relations } from './relations_view';
import { SampleTables } from './sample_tables_view';
import { withStrategy } from './strategy_edit';
import { TrialDialog } from './trial_dialog';

export interface ViewParts {
  name: string;
  text: string;
  layout: string;
  layouts: string[];
  mistakes: Diagnostic[];
  onLayout: (layout: string) => void;
  onGoTo: (range: Range) => void;
  onText: (text: string) => void;
  onUsed: () => void; // a strategy was taken
}
type ViewName = 'diagram' | 'entities' | 'tables' | 'relations' | 'lint' | 'layouts';
const TABS: Tab<ViewName>[] = [
  { name: 'diagram', label: 'Diagram' },
  { name: 'entities', label: 'Entities' },
  { name: 'tables', label: 'Tables' },
  { name: 'relations', label: 'Relations' },
  { name: 'lint', label: 'Lint' },
  { name: 'layouts', label: 'Layouts' },
];

export function Views(parts: ViewParts) {
  const { view: asked, relation } = place.value.query;
  const view = TABS.find((each) => each.name === asked)?.name ?? (relation ? 'relations' : 'diagram');
  return (
    <section class="view-half" aria-label="What the text becomes">
      <div class="view-bar">
        <Tabs label="Views" tabs={TABS} chosen={view} onChoose={(next) => adjust({ view: next, relation: null })} />
        {parts.layouts.length > 1 && (
          <label class="layout-choice">
            Layout
            <select value={parts.layout} onChange={(event) => parts.onLayout(event.currentTarget.value)}>
              {parts.layouts.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div class="view" role="tabpanel" aria-label={TABS.find((each) => each.name === view)!.label as string}>
        <h2 class="hidden-text">{TABS.find((each) => each.name === view)!.label}</h2>
        {view === 'diagram' && <DiagramView {...parts} />}
        {view === 'entities' && <EntitiesView {...parts} />}
        {view === 'tables' && <TablesView {...parts} />}
        {view === 'relations' && <RelationsView {...parts} />}
        {view === 'lint' && <LintView {...parts} />}
        {view === 'layouts' && <Layouts {...parts} />}
      </div>
    </section>
  );
}

async function goToEntity(text: string, entity: string, onGoTo: (range: Range) => void): Promise<void> {
  const outline = await askLanguage(text, { ask: 'outline' }).catch(() => []);
  const found = outline.flatMap((each) => [each, ...(each.children ?? [])]).find((each) => each.name === entity);
  if (found) onGoTo(found.selectionRange);
}

function DiagramView({ name, text, layout, mistakes, onGoTo }: ViewParts) {
  const view = useView(`${name}/diagram/${layout}`, text, (now, signal) => drawRelations(now, layout, signal));
  return (
    <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
      {(svg) => <Diagram svg={svg} name={name} onEntity={(entity) => void goToEntity(text, entity, onGoTo)} />}
    </ShowView>
  );
}

function EntitiesView({ name, text, layout, mistakes, onGoTo }: ViewParts) {
  const view = useView(`${name}/entities/${layout}`, text, (now, signal) => charts(now, layout, signal));
  return (
    <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
      {(all) => <EntityCharts charts={all} text={text} />}
    </ShowView>
  );
}

function TablesView({ name, text, layout, mistakes, onGoTo }: ViewParts) {
  const [seed, setSeed] = useState(1);
  const [isLarge, setLarge] = useState(false);
  const view = useView(`${name}/tables/${layout}/${seed}/${isLarge}`, text, (now, signal) => sampleTables(now, { layout, isLarge, seed }, signal));
  return (
    <>
      <div class="view-tools">
        <span class="soft">Sample items that fit the model; nothing is stored.</span>
        <span class="grow" />
        <label class="check">
          <input type="checkbox" checked={isLarge} onChange={(event) => setLarge(event.currentTarget.checked)} /> More of them
        </label>
        <button
          type="button"
          onClick={() => {
            setSeed(seed + 1);
            tell('Other sample items');
          }}
        >
          Others
        </button>
      </div>
      <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
        {(tables) => <SampleTables tables={tables} text={text} />}
      </ShowView>
    </>
  );
}

function RelationsView({ name, text, layout, mistakes, onGoTo, onText, onUsed }: ViewParts) {
  const [told, setTold] = useState<Told>({});
  const [trying, setTrying] = useState<{ relation: RelationAdvice; via: string } | null>(null);
  const view = useView(`${name}/relations/${layout}/${JSON.stringify(told)}`, text, (now, signal) => advise(now, layout, told, signal));
  // Other pages lead here with a strategy to be tried: ?relation=Department.staff&strategy=edges pk one
  const { relation: wanted, strategy } = place.value.query;
  useEffect(() => {
    const relation = view.value?.find((each) => each.advice.relation === wanted);
    if (!relation || view.isOld) return;
    if (strategy) setTrying({ relation, via: strategy });
    document.getElementById(`relation-${wanted}`)?.scrollIntoView({ block: 'start' });
    adjust({ view: 'relations', relation: null, strategy: null });
  }, [view.value, wanted, strategy]);
  const tellAnswer = (relation: string, question: string, answer: string | null) =>
    setTold((before) => {
      const { [question]: _, ...rest } = before[relation] ?? {};
      return { ...before, [relation]: answer === null ? rest : { ...rest, [question]: answer } };
    });
  return (
    <>
      <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
        {(all) => (
          <Relations
            all={all}
            told={told}
            onTell={tellAnswer}
            onTry={(relation, via) => setTrying({ relation, via })}
            onLine={(line) => onGoTo({ start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 0 } })}
          />
        )}
      </ShowView>
      {trying && (
        <TrialDialog
          relation={trying.relation.advice.relation}
          via={trying.via}
          layout={layout}
          before={text}
          after={withStrategy(text, layout, trying.relation.name, trying.via)}
          onClose={() => setTrying(null)}
          onUse={(next) => {
            setTrying(null);
            onText(next);
            onUsed();
            tell(`${trying.relation.advice.relation} is via ${trying.via} now. Undo in the editor brings it back.`);
          }}
        />
      )}
    </>
  );
}

function LintView({ name, text, mistakes, onGoTo, onText }: ViewParts) {
  const view = useView(`${name}/lint`, text, lint);
  return (
    <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
      {(findings) => <Findings text={text} findings={findings} onGoTo={onGoTo} onText={onText} />}
    </ShowView>
  );
}
