// Small drawings, 16 by 16, in the colour of the text. They say nothing that words beside them do not.
const PATHS = {
  tables: 'M2 3h12v10H2zM2 6.5h12M2 10h12M6 3v10',
  model: 'M2 2.5h5v4H2zM9 9.5h5v4H9zM4.5 6.5v5H9',
  patterns: 'M2 4h8M2 8h12M2 12h6M12 2l2 2-2 2',
  compare: 'M3 13V7M8 13V3M13 13V9',
  heat: 'M8 14c-3 0-4.5-2-4.5-4.5C3.5 7 6 6 6 2c3 1.5 6.5 4 6.5 7.5C12.5 12 11 14 8 14z',
  learn: 'M2 3.5c2-1 4-1 6 0v10c-2-1-4-1-6 0zM14 3.5c-2-1-4-1-6 0v10c2-1 4-1 6 0z',
  lint: 'M3 8.5l3.5 3.5L13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.1 1.1M11.9 11.9L13 13M13 3l-1.1 1.1M4.1 11.9L3 13',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.3 7.7L2.5 13.5M4.5 11.5l2 2',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3',
  run: 'M4 3l9 5-9 5z',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  split: 'M2 3h12v10H2zM8 3v10',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5L14 14',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9',
  edit: 'M3 13l.7-2.8L11 3l2 2-7.2 7.3z',
  stop: 'M4 4h8v8H4z',
  console: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10.5h3',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
