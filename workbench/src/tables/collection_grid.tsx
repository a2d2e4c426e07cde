// Item collections as people draw them: a partition key over all of its items, an attribute's name above its value.
// Only the rows that are seen are in the page.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Item } from '../item/value';
import { keysOf, type Table } from '../server/dynamo';
import { CollectionRow, type RowWidths, textOf } from './collection_row';
import { entityOf } from './entities';
import { huesOfTable } from './hues';
import type { RowSource } from './row_source';

const ROW = 46;
const HEAD = 30;
// Browsers draw no higher element; beyond it the bar moves faster than the rows.
const HEIGHT_MAX = 12_000_000;
const MORE = 10; // rows above and below what is seen
const AHEAD = 120; // rows that are loaded before they are seen
const LETTER = 7.6; // pixels

interface Parts {
  table: Table;
  index: string | null;
  source: RowSource;
  label: string;
  tag: string | null;
  chosen: string | null; // the key of an item, as keyText
  lit: string | null; // the entity whose items stand out
  onChoose: (item: Item) => void;
  onOpen: (item: Item) => void;
}

export function CollectionGrid({ table, index, source, label, tag, chosen, lit, onChoose, onOpen }: Parts) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ height: 600, width: 800 });
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const at = useRef({ offset: 0, top: 0 }); // of the first row that is seen, in pixels of rows; and where the bar is
  const aim = useRef<number | null>(null); // the row that was gone to and is not loaded yet
  const letters = useRef({ source, partition: 0, sort: 0 });
  const keys = useMemo(() => keysOf(table, index), [table, index]);
  const otherKeys = useMemo(() => new Set(table.AttributeDefinitions.map((each) => each.AttributeName)), [table]);
  const id = useId();
  const hues = huesOfTable(table.TableName);

  const total = source.length;
  const room = Math.max(1, size.height - HEAD);
  /** How many pixels of rows one of the bar stands for. */
  const ratioOf = (rows: number) => {
    const whole = rows * ROW;
    return whole > HEIGHT_MAX ? (whole - room) / (HEIGHT_MAX - room) : 1;
  };
  const drawn = Math.min(total * ROW, HEIGHT_MAX);

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setSize({ height: element.clientHeight, width: element.clientWidth });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const moveTo = (pixels: number) => {
    const rows = source.length;
    const offset = Math.max(0, Math.min(pixels, rows * ROW - room));
    const element = box.current!;
    element.scrollTop = offset / ratioOf(rows);
    at.current = { offset, top: element.scrollTop };
    redraw(0);
  };

  useEffect(
    () =>
      source.subscribe(({ before, by }) => {
        // What is seen stays where it is when rows above it turn out to be more, or fewer.
        if (by !== 0 && before * ROW <= at.current.offset) moveTo(at.current.offset + by * ROW);
        redraw(0);
      }),
    [source, room],
  );
  useEffect(() => {
    moveTo(0);
    aim.current = null;
  }, [source]);

  const onScroll = () => {
    const element = box.current!;
    const top = element.scrollTop;
    const by = top - at.current.top;
    if (by === 0) return redraw(0); // to the side
    const ratio = ratioOf(total);
    const furthest = Math.max(0, total * ROW - room);
    // A step moves the rows by as much; a jump of the bar goes to its place among all rows.
    const isStep = ratio > 1 && Math.abs(by) < 3 * room;
    const offset = Math.max(0, Math.min(furthest, ratio === 1 ? top : isStep ? at.current.offset + by : top * ratio));
    const isAtEnd = top <= 0 || top >= element.scrollHeight - element.clientHeight - 1 || offset === 0 || offset === furthest;
    if (isStep && isAtEnd) return moveTo(offset);
    at.current = { offset, top };
    redraw(0);
  };

  const { offset, top: barAt } = at.current;
  const first = Math.max(0, Math.floor(offset / ROW) - MORE);
  const last = Math.min(total, Math.ceil((offset + room) / ROW) + MORE);
  const top = Math.round(offset / ROW); // the first row that is seen for the most part
  // While the bar is dragged through all rows, nothing is loaded until it rests.
  const before = useRef({ source, first: 0 });
  useEffect(() => {
    const isJump = before.current.source === source && Math.abs(before.current.first - first) > 5 * AHEAD;
    before.current = { source, first };
    const timer = setTimeout(() => source.want(Math.max(0, first - AHEAD), last + AHEAD), isJump ? 60 : 0);
    return () => clearTimeout(timer);
  }, [source, first, last]);

  const bringToSight = (row: number) => {
    const now = at.current.offset;
    if (row * ROW < now || (row + 1) * ROW > now + room) moveTo(row * ROW - room / 2 + ROW / 2);
  };
  // A row that was chosen elsewhere is brought into sight, as soon as it is there.
  const sought = useRef<string | null>(null);
  useEffect(() => {
    sought.current = chosen;
  }, [chosen, source]);
  useEffect(() => {
    if (sought.current === null) return;
    const row = source.find(sought.current);
    if (row < 0) return;
    sought.current = null;
    bringToSight(row);
  });
  // A row that the keyboard went to is chosen as soon as it is loaded.
  useEffect(() => {
    const item = aim.current === null ? undefined : source.known(aim.current);
    if (!item) return;
    aim.current = null;
    onChoose(item);
  });

  const chosenRow = chosen === null ? -1 : source.find(chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && chosenRow >= 0) {
      event.preventDefault();
      onOpen(source.known(chosenRow)!);
    }
    const page = Math.max(1, Math.floor(room / ROW) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
    const by = steps[event.key];
    if (by === undefined || total === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const from = aim.current ?? (chosenRow < 0 ? top - (by > 0 ? 1 : 0) : chosenRow);
    const to = Math.max(0, Math.min(total - 1, from + by));
    const now = at.current.offset;
    if (to * ROW < now) moveTo(to * ROW);
    else if ((to + 1) * ROW > now + room) moveTo((to + 1) * ROW - room);
    aim.current = to;
    redraw(0);
  };

  if (letters.current.source !== source) letters.current = { source, partition: 0, sort: 0 };
  for (let row = first; row < last; row++) {
    const item = source.known(row);
    if (!item) continue;
    letters.current.partition = Math.max(letters.current.partition, textOf(item, keys.partition).length);
    letters.current.sort = Math.max(letters.current.sort, textOf(item, keys.sort).length);
  }
  const bounded = (long: number, names: string[]) => Math.round(Math.min(size.width < 400 ? 140 : size.width < 600 ? 210 : 340, Math.max(90, Math.max(long, names.join(' · ').length) * LETTER + 26)));
  const [partition, sort] = [bounded(letters.current.partition, keys.partition), bounded(letters.current.sort, keys.sort)];
  const widths: RowWidths = useMemo(() => ({ partition, sort, attribute: 170 }), [partition, sort]);
  const acts = useRef({ onChoose, onOpen });
  acts.current = { onChoose, onOpen };
  const choose = useCallback((item: Item) => acts.current.onChoose(item), []);
  const open = useCallback((item: Item) => acts.current.onOpen(item), []);

  const above = Math.round((barAt - offset) * 8) / 8; // the same while one scrolls step by step
  const rows: ComponentChildren[] = [];
  let widest = 0;
  for (let row = first; row < last; row++) {
    const item = source.known(row);
    const y = HEAD + row * ROW + above;
    if (!item) {
      rows.push(<div key={row} class="grid-row waiting" style={{ transform: `translateY(${y}px)`, width: `${size.width}px` }} aria-hidden="true" />);
      continue;
    }
    const before = row > 0 ? source.known(row - 1) : undefined;
    const starts = !before || textOf(before, keys.partition) !== textOf(item, keys.partition);
    const entity = entityOf(item, keys, tag);
    widest = Math.max(widest, Object.keys(item).filter((name) => !keys.partition.includes(name) && !keys.sort.includes(name)).length);
    rows.push(
      <CollectionRow
        key={row}
        id={`${id}-${row}`}
        row={row}
        y={y}
        item={item}
        keys={keys}
        otherKeys={otherKeys}
        widths={widths}
        hue={hues.of(entity)}
        showsPartition={starts || row === top}
        startsCollection={starts}
        isChosen={chosen !== null && source.keyOf(item) === chosen}
        isDim={lit !== null && lit !== entity}
        onChoose={choose}
        onOpen={open}
      />,
    );
  }
  const width = widths.partition + (keys.sort.length > 0 ? widths.sort : 0) + Math.max(1, widest) * widths.attribute;
  const grid = (
    <div
      class="grid"
      ref={box}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      tabIndex={0}
      role="grid"
      aria-label={label}
      aria-rowcount={source.isWhole ? total + 1 : -1}
      aria-activedescendant={chosenRow >= first && chosenRow < last ? `${id}-${chosenRow}` : undefined}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ minWidth: `${width}px` }}>
        <span role="columnheader" class="partition" style={{ width: `${widths.partition}px` }} title="Partition key">
          {keys.partition.join(' · ')}
        </span>
        {keys.sort.length > 0 && (
          <span role="columnheader" class="sort" style={{ width: `${widths.sort}px` }} title="Sort key">
            {keys.sort.join(' · ')}
          </span>
        )}
        <span role="columnheader">Attributes</span>
      </div>
      <div role="rowgroup" style={{ '--whole': `${width}px` }}>
        {rows}
      </div>
      <div style={{ height: `${drawn}px`, width: `${width}px`, flex: 'none' }} aria-hidden="true" />
    </div>
  );
  // The frame has the ring of the focus: rows would cover one of the grid.
  return (
    <div class="grid-frame" style={{ '--partition': `${widths.partition}px` }}>
      {grid}
    </div>
  );
}
