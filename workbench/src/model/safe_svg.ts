// Reads a drawing and keeps what it is made of: shapes and texts, with places and classes. Nothing that could load or run.
import { createElement, type VNode } from 'preact';

const ELEMENTS = new Set(['g', 'path', 'rect', 'circle', 'line', 'text', 'tspan', 'polyline', 'polygon']);
const ATTRIBUTES = new Set(['d', 'x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2', 'points', 'class', 'transform', 'xml:space']);

export interface Drawing {
  shapes: VNode[];
  /** The texts in the order in which they are drawn. */
  texts: string[];
}

function shapeOf(element: Element, key: number): VNode | null {
  if (!ELEMENTS.has(element.localName)) return null;
  const given: Record<string, string | number> = { key };
  for (const { name, value } of element.attributes) if (ATTRIBUTES.has(name)) given[name] = value;
  const children = [...element.children];
  const inside = children.length > 0 ? children.map(shapeOf).filter((each): each is VNode => each !== null) : element.textContent || null;
  return createElement(element.localName, given, inside);
}

/** The diagram alone: what stands above it and the tables below it are shown elsewhere. */
export function diagramOf(svg: string): Drawing {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') throw new Error('The drawing cannot be read.');
  const kept: Element[] = [];
  for (const element of root.children) {
    const kind = element.getAttribute('class');
    if (kind === 't2' && kept.length > 0) break;
    const isFrame = element.localName === 'rect' && kind === 'page' && element.getAttribute('x') === '0' && element.getAttribute('y') === '0';
    if (kind === 't1' || kind === 't2' || isFrame || !ELEMENTS.has(element.localName)) continue;
    kept.push(element);
  }
  return {
    shapes: kept.map(shapeOf).filter((each): each is VNode => each !== null),
    texts: kept.filter((each) => each.localName === 'text').map((each) => each.textContent ?? ''),
  };
}
