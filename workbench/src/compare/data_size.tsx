// How much data a measurement will make, told before it begins.
import { count, counted } from '../parts/amount';
import { useLoaded } from '../parts/loaded';
import { filesOf, MODEL_FILE } from '../patterns/model_view';
import { runForJson } from '../server/workbench';

interface Plan {
  entities: Record<string, number>;
  links?: Record<string, number>;
}
interface Parts {
  text: string;
  scale: string;
  counts: string;
}
const QUIET_MS = 500;

/** Nothing, as long as it is not known. */
export function DataSize({ text, scale, counts }: Parts) {
  const plan = useLoaded(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      if (signal.aborted) return null;
      const sizes = counts.split(/[\s,]+/).filter(Boolean).flatMap((each) => ['--count', each]);
      const args = ['model', 'generate', MODEL_FILE, '--scale', scale.trim() || '1', ...sizes, '--plan', '--json'];
      return runForJson<Plan>(args, { files: filesOf(text), signal }).catch(() => null);
    },
    [text, scale, counts],
  );
  if (!plan.value || plan.isLoading) return null;
  const { entities, links = {} } = plan.value;
  const sumOf = (of: Record<string, number>) => Object.values(of).reduce((before, each) => before + each, 0);
  const [items, linked] = [sumOf(entities), sumOf(links)];
  const parts = Object.entries(entities).map(([name, number]) => `${count(number)} ${name}`);
  return (
    <span class="soft" role="status">
      For each way {parts.slice(0, 4).join(', ')}
      {parts.length > 4 && ' and others'} are made{linked > 0 && `, with ${counted(linked, 'link', 'links')}`}.{items + linked > 50_000 && ' That takes a while.'}
    </span>
  );
}
