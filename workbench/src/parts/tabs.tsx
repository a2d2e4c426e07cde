import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface Tab<Name extends string> {
  name: Name;
  label: ComponentChildren;
}
interface Parts<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  children?: ComponentChildren;
}

/** The row of tabs, moved through with the arrow keys, and the panel below it. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: Parts<Name>) {
  const list = useRef<HTMLDivElement>(null);
  // In a row that is wider than the screen. Only the row is scrolled, not the page.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!row || !tab || row.scrollWidth <= row.clientWidth) return;
    const left = tab.getBoundingClientRect().left - row.getBoundingClientRect().left;
    if (left < 0) row.scrollLeft += left;
    else if (left + tab.offsetWidth > row.clientWidth) row.scrollLeft += left + tab.offsetWidth - row.clientWidth;
  }, [chosen]);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((each) => each.name === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            data-tab={tab.name}
            aria-selected={tab.name === chosen}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {children !== undefined && <div role="tabpanel">{children}</div>}
    </>
  );
}
