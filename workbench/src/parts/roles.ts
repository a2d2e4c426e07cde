// What a key that may only read cannot do: it is there, says why, and does nothing. Whatever is aria-disabled keeps the focus
// and can be read, and a click on it is not obeyed; `data-why` is told to whoever clicks.
import { known } from '../server/workbench';
import { tell } from './toasts';

const WHY = 'Your access key may only read. This takes one that may write.';

export const mayWrite = (): boolean => known.value?.role !== 'readonly';

interface Refused {
  'aria-disabled'?: true;
  'aria-description'?: string;
  'data-why'?: string;
  title?: string;
}
/** For buttons whose work takes a key that may write; `title` is what they say otherwise. */
export const forWriters = (title?: string): Refused => (mayWrite() ? (title === undefined ? {} : { title }) : { 'aria-disabled': true, 'aria-description': WHY, 'data-why': WHY, title: WHY });
/** The reason as a sentence to be shown; null: there is none. */
export const whyNotWrite = (): string | null => (mayWrite() ? null : WHY);

/** Before anybody else hears of the click. Enter in a field clicks the form's button, too. */
export function obeyDisabled(): void {
  document.addEventListener(
    'click',
    (event) => {
      const refused = event.target instanceof Element ? event.target.closest<HTMLElement>('[aria-disabled="true"]') : null;
      if (!refused) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (refused.dataset['why']) tell(refused.dataset['why']);
    },
    true,
  );
}
