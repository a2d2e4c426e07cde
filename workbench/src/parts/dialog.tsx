// A window over the page. It is closed with Escape, and gives the focus back.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon';
import { Toasts } from './toasts';

// Those that are open, the one in front last: nothing else can be seen as a whole, or clicked.
const open = signal<string[]>([]);

// The page's own, which those of a window replace.
export function ToastsOfPage() {
  return open.value.length > 0 ? null : <Toasts />;
}

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
    dialog.current?.showModal();
    open.value = [...open.value, id];
    return () => {
      open.value = open.value.filter((each) => each !== id);
      before?.focus?.();
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
