// From another page back to the guided start, where there is one.
import { linkTo } from '../parts/place';
import { guided, STEPS } from './guided';

export function GuideLink({ model }: { model: string | null | undefined }) {
  const step = model ? guided.value[model] : undefined;
  if (!model || !step) return null;
  return (
    <a class="guide-link" href={linkTo('model', [model])}>
      Back to the guide: step {STEPS.indexOf(step) + 1} of {STEPS.length}
    </a>
  );
}
