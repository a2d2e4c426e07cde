// A small chart of what happened over time: lines, or areas on top of each other. Nothing in it moves by itself.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { decimal } from './amount';
import './line_chart.css';

export interface Series {
  name: string;
  /** A name or number of the palette: 1 to 6, "rest", "danger". */
  colour: number | 'rest' | 'danger';
  values: readonly number[]; // as many as there are times
}
interface Parts {
  label: string; // what is drawn, for those who do not see it, too
  unit: string; // "units per second"
  times: readonly number[]; // in milliseconds, ascending
  series: readonly Series[];
  isStacked?: boolean;
  height?: number;
}

const LEFT = 44;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 22;
/** Points further apart are not joined: nobody looked in between. */
const GAP_MS = 9000;
const SPANS = [60, 120, 300, 600, 900].map((seconds) => seconds * 1000);

const colourOf = (colour: Series['colour']) => (colour === 'danger' ? 'var(--danger)' : `var(--series-${colour})`);

/** 1, 2, 5, 10, ...: the first of them that is not below. */
export function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value * 0.9999)!;
}

function agoText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds === 0) return 'now';
  return seconds % 60 === 0 ? `${seconds / 60} min ago` : `${seconds} s ago`;
}

/** Where the times are split because nobody looked in between: [from, to) of each part. */
function partsOf(times: readonly number[]): [number, number][] {
  const parts: [number, number][] = [];
  let from = 0;
  for (let at = 1; at <= times.length; at++) {
    if (at < times.length && times[at]! - times[at - 1]! <= GAP_MS) continue;
    if (at > from) parts.push([from, at]);
    from = at;
  }
  return parts;
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setWidth(Math.max(160, element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

export function LineChart({ label, unit, times, series, isStacked = false, height = 180 }: Parts) {
  const { box, width } = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const last = times[times.length - 1] ?? 0;
  const span = SPANS.find((each) => last - (times[0] ?? last) <= each) ?? SPANS[SPANS.length - 1]!;
  const sums = isStacked ? times.map((_, at) => series.reduce((sum, each) => sum + (each.values[at] ?? 0), 0)) : series.flatMap((each) => [...each.values]);
  const top = roundAbove(Math.max(0, ...sums));
  const x = (time: number) => LEFT + (width - LEFT - RIGHT) * (1 - (last - time) / span);
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const parts = partsOf(times);

  const base = times.map(() => 0);
  const shapes = series.map(({ name, colour, values }) => {
    const lower = [...base];
    const upper = times.map((_, at) => (isStacked ? base[at]! : 0) + (values[at] ?? 0));
    if (isStacked) upper.forEach((value, at) => (base[at] = value));
    const line = (list: number[], from: number, to: number) => list.slice(from, to).map((value, at) => `${x(times[from + at]!).toFixed(1)},${y(value).toFixed(1)}`);
    return { name, colour, line, lower, upper };
  });

  const shownAt = pointed !== null && pointed < times.length ? pointed : times.length - 1;
  const onMove = (event: PointerEvent) => {
    const at = event.clientX - box.current!.getBoundingClientRect().left;
    let nearest = -1;
    times.forEach((time, index) => {
      if (nearest < 0 || Math.abs(x(time) - at) < Math.abs(x(times[nearest]!) - at)) nearest = index;
    });
    setPointed(nearest < 0 ? null : nearest);
  };
  const told = series.map((each) => `${each.name} ${decimal(each.values[times.length - 1] ?? 0)}`).join(', ');
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return (
    <figure class="line-chart">
      <div ref={box} onPointerMove={onMove} onPointerLeave={() => setPointed(null)}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}, ${unit}, over ${agoText(span).replace(' ago', '')}. Now: ${told || 'nothing'}.`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line class="rule" x1={LEFT} x2={width - RIGHT} y1={y(top * part)} y2={y(top * part)} />
              <text x={LEFT - 6} y={y(top * part) + 4} text-anchor="end">
                {decimal(top * part)}
              </text>
            </g>
          ))}
          {ticks
            .filter((_, at) => width > 420 || at % 2 === 0)
            .map((part) => (
              <text key={part} x={x(last - span * (1 - part))} y={height - 6} text-anchor={part === 1 ? 'end' : part === 0 ? 'start' : 'middle'}>
                {agoText(span * (1 - part))}
              </text>
            ))}
          {shapes.map(({ name, colour, line, lower, upper }) =>
            parts.map(([from, to]) =>
              isStacked ? (
                <polygon key={name + from} class="area" fill={colourOf(colour)} points={[...line(upper, from, to), ...line(lower, from, to).reverse()].join(' ')} />
              ) : (
                <polyline key={name + from} class="line" stroke={colourOf(colour)} points={line(upper, from, to).join(' ')} />
              ),
            ),
          )}
          {pointed !== null && pointed < times.length && <line class="pointed" x1={x(times[pointed]!)} x2={x(times[pointed]!)} y1={TOP} y2={height - BOTTOM} />}
        </svg>
      </div>
      <figcaption>
        <span class="soft">
          {unit}, {pointed === null || shownAt < 0 ? 'now' : agoText(last - times[shownAt]!)}:
        </span>
        {[...series].map((each) => (
          <span key={each.name} class="key">
            <i style={{ background: colourOf(each.colour) }} aria-hidden="true" />
            {each.name} <b>{decimal(each.values[shownAt] ?? 0)}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** The course of one figure, as small as a word. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const width = 96;
  const height = 22;
  const top = Math.max(...values, 0);
  const points = values.map((value, at) => {
    const x = values.length < 2 ? width : (at / (values.length - 1)) * width;
    return `${x.toFixed(1)},${(top === 0 ? height - 1 : height - 1 - (value / top) * (height - 3)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {points.length > 1 && <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} />}
      {points.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
