// Entities and how they relate, as a drawing that one can zoom and move.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { diagramOf } from './safe_svg';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const MARGIN = 24;
const LARGEST = 1.4; // times the size that it is drawn in

export function Diagram({ svg, name, onEntity }: { svg: string; name: string; onEntity: (entity: string) => void }) {
  const drawing = useMemo(() => diagramOf(svg), [svg]);
  const frame = useRef<SVGSVGElement>(null);
  const content = useRef<SVGGElement>(null);
  const [whole, setWhole] = useState<Box | null>(null);
  const [seen, setSeen] = useState<Box | null>(null);
  const drag = useRef<{ x: number; y: number; from: Box } | null>(null);

  const fitted = (all: Box): Box => {
    const { clientWidth = 600, clientHeight = 400 } = frame.current ?? {};
    const scale = Math.min(LARGEST, clientWidth / all.width, clientHeight / all.height);
    const width = clientWidth / scale;
    const height = clientHeight / scale;
    return { x: all.x + (all.width - width) / 2, y: all.y + Math.min(0, (all.height - height) / 2), width, height };
  };
  useLayoutEffect(() => {
    const box = content.current!.getBBox();
    const all = { x: box.x - MARGIN, y: box.y - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
    setWhole(all);
    setSeen(fitted(all));
  }, [drawing]);
  useEffect(() => {
    if (!whole) return;
    const observer = new ResizeObserver(() => setSeen(fitted(whole)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [whole]);

  const zoom = (by: number, at?: { x: number; y: number }) =>
    setSeen((now) => {
      if (!now || !whole) return now;
      const factor = Math.max(0.1 * whole.width, Math.min(6 * whole.width, now.width / by)) / now.width;
      const centre = at ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
      return { x: centre.x - (centre.x - now.x) * factor, y: centre.y - (centre.y - now.y) * factor, width: now.width * factor, height: now.height * factor };
    });
  const move = (x: number, y: number) => setSeen((now) => now && { ...now, x: now.x + x * now.width, y: now.y + y * now.height });
  const scaleOf = () => (seen ? seen.width / (frame.current!.clientWidth || 1) : 1);

  useEffect(() => {
    const element = frame.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const bounds = element.getBoundingClientRect();
      const scale = scaleOf();
      if (seen) zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, { x: seen.x + (event.clientX - bounds.left) * scale, y: seen.y + (event.clientY - bounds.top) * scale });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, () => void> = {
      ArrowLeft: () => move(-0.1, 0),
      ArrowRight: () => move(0.1, 0),
      ArrowUp: () => move(0, -0.1),
      ArrowDown: () => move(0, 0.1),
      '+': () => zoom(1.25),
      '=': () => zoom(1.25),
      '-': () => zoom(0.8),
      '0': () => whole && setSeen(fitted(whole)),
    };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step();
  };
  return (
    <div class="diagram">
      <svg
        ref={frame}
        class="drawing"
        role="img"
        aria-label={`Relationship diagram of ${name}: ${drawing.texts.join(', ')}`}
        tabIndex={0}
        viewBox={seen ? `${seen.x} ${seen.y} ${seen.width} ${seen.height}` : undefined}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0 || !seen) return;
          drag.current = { x: event.clientX, y: event.clientY, from: seen };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const held = drag.current;
          if (!held) return;
          const scale = scaleOf();
          setSeen({ ...held.from, x: held.from.x - (event.clientX - held.x) * scale, y: held.from.y - (event.clientY - held.y) * scale });
        }}
        onPointerUp={(event) => {
          const held = drag.current;
          drag.current = null;
          // A click on the name of an entity goes to where it is declared.
          if (!held || Math.hypot(event.clientX - held.x, event.clientY - held.y) > 4) return;
          const target = document.elementFromPoint(event.clientX, event.clientY);
          if (target?.classList.contains('t4')) onEntity(target.textContent ?? '');
        }}
      >
        <g ref={content}>{drawing.shapes}</g>
      </svg>
      <div class="zoom" role="group" aria-label="Size of the diagram">
        <button type="button" aria-label="Larger" title="Larger (+)" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" aria-label="Smaller" title="Smaller (-)" onClick={() => zoom(0.8)}>
          <span aria-hidden="true">−</span>
        </button>
        <button type="button" title="All of it (0)" onClick={() => whole && setSeen(fitted(whole))}>
          Fit
        </button>
      </div>
    </div>
  );
}
