// What happened, told for a moment; errors stay until they are closed.
import { signal } from '@preact/signals';
import { Icon } from './icon';

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}
const toasts = signal<Toast[]>([]);
let last = 0;

const close = (id: number) => (toasts.value = toasts.value.filter((each) => each.id !== id));

export function tell(text: string): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text, isError: false }];
  setTimeout(() => close(id), 4000);
}
export function tellError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  toasts.value = [...toasts.value.filter((each) => each.text !== text), { id: ++last, text, isError: true }];
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError }) => (
        <div key={id} class={isError ? 'box error' : 'box'} role={isError ? 'alert' : undefined}>
          <span class="grow">{text}</span>
          <button class="plain" aria-label="Close" onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
