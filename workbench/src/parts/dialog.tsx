// A window over the page. It is closed with Escape, and gives the focus back to where it was.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon';
import { focusMain, keepFocus } from './main_focus';
import { Toasts } from './toasts';

// Those that are open, the one in front last: nothing else can be seen as a whole, or clicked.
const open = signal<string[]>([]);

// The page's own, which those of a window replace.
export function ToastsOfPage() {
  return open.value.length > 0 ? null : <Toasts />;
}

const FIELDS = ['input', 'select', 'textarea'].map((each) => `.content ${each}:not([disabled], [readonly], [type=hidden], [hidden])`).join();
/** Where one begins: the first field, or else what it is there for. */
const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>(FIELDS) ?? dialog.querySelector<HTMLElement>('footer .primary:not([disabled])') ?? dialog.querySelector<HTMLElement>('footer button:not([disabled]), .content button:not([disabled])');

interface Parts {
  title: string;
  onClose: () => void;
  onSubmit?: () => void;
  footer?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, onSubmit, footer, wide, children }: Parts) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current!;
    element.showModal();
    firstOf(element)?.focus();
    open.value = [...open.value, id];
    return () => {
      open.value = open.value.filter((each) => each !== id);
      // While it is shown, nothing beside it can have the focus.
      element.close();
      // What opened it may be gone, now or soon, as a button is that has done its work.
      if (before?.isConnected) before.focus();
      else focusMain();
      keepFocus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header>
          <h2>{title}</h2>
          <button type="button" class="plain" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="content">{children}</div>
        {footer && <footer>{footer}</footer>}
      </form>
      {open.value.at(-1) === id && <Toasts />}
    </dialog>
  );
}
