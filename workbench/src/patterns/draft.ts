// What somebody has typed for a value of some type, and the value that it is.
import { resolved, type Type } from './type_text';

export type Draft = string | string[] | Draft[] | { [name: string]: Draft } | undefined;
export type Types = Record<string, string>;

export class DraftError extends Error {
  constructor(readonly path: string, message: string) {
    super(message);
  }
}

const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');
export const partOf = (draft: Draft, at: number): Draft => (Array.isArray(draft) ? draft[at] : undefined);
export const fieldOf = (draft: Draft, name: string): Draft => (draft && typeof draft === 'object' && !Array.isArray(draft) ? draft[name] : undefined);

/** Nothing was typed at all. */
export function isBlank(draft: Draft): boolean {
  if (draft === undefined || draft === '') return true;
  if (Array.isArray(draft)) return draft.every((each) => isBlank(each));
  return typeof draft === 'object' && Object.values(draft).every(isBlank);
}

const EXAMPLES: Record<string, string> = { time: '2026-01-31T08:30:00.000Z', date: '2026-01-31', int: '7', number: '12.5', ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV', binary: 'base64' };
export const exampleOf = (type: Type): string => (type.kind === 'scalar' ? (EXAMPLES[type.name] ?? '') : '');

function scalar(name: string, text: string, path: string): unknown {
  switch (name) {
    case 'int':
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) throw new DraftError(path, `${path} must be a number`);
      if (name === 'int' && !Number.isInteger(value)) throw new DraftError(path, `${path} must be a whole number`);
      if (text.replace(/[^\d]/g, '').replace(/^0+/, '').length > 15) throw new DraftError(path, `${path} has more digits than this page can send; ask with curl`);
      return value;
    }
    case 'bool':
      if (text !== 'true' && text !== 'false') throw new DraftError(path, `Say whether ${path} is true or false`);
      return text === 'true';
    case 'time': {
      // 2026-01-31, 2026-01-31T08:30 and the like are times, too.
      const at = new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : text.includes('T') ? text + 'Z' : text);
      if (Number.isNaN(at.getTime())) throw new DraftError(path, `${path} must be a time like ${EXAMPLES['time']}`);
      return at.toISOString();
    }
    case 'any':
      return json(text, path);
    default:
      return text;
  }
}
function json(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DraftError(path, `${path} must be JSON, as in {"a": 1} or ["a", "b"]`);
  }
}

const isScalarLike = (type: Type) => (type.kind === 'scalar' && type.name !== 'any') || type.kind === 'enum';
/** Lists of these are typed a line each; others as JSON. */
export const hasLines = (type: Type, types: Types): boolean => type.kind === 'list' && isScalarLike(resolved(type.of, types));

/** undefined: it is left out. Throws DraftError. */
export function valueOf(type: Type, draft: Draft, path: string, isOptional: boolean, types: Types): unknown {
  const real = resolved(type, types);
  if (isOptional && isBlank(draft)) return undefined;
  switch (real.kind) {
    case 'enum':
      if (!textOf(draft)) throw new DraftError(path, `Choose ${path}`);
      return textOf(draft);
    case 'tuple':
      return real.parts.map((part, i) => valueOf(part, partOf(draft, i), `${path}, part ${i + 1}`, false, types));
    case 'record': {
      const value: Record<string, unknown> = {};
      for (const field of real.fields) {
        const each = valueOf(field.type, fieldOf(draft, field.name), field.name, field.isOptional, types);
        if (each !== undefined) value[field.name] = each;
      }
      return value;
    }
    case 'list': {
      if (real.of.kind === 'enum') return Array.isArray(draft) ? draft : [];
      if (!hasLines(real, types)) return json(textOf(draft) || '[]', path);
      const lines = textOf(draft).split('\n').filter((line) => line.trim() !== '');
      return lines.map((line) => valueOf(real.of, line.trim(), path, false, types));
    }
    case 'map':
      return json(textOf(draft) || '{}', path);
    case 'named':
      return json(textOf(draft), path);
    case 'scalar': {
      const text = textOf(draft);
      // An empty text is a text; an empty id is none.
      if (text === '' && (type.kind === 'named' || real.name !== 'string')) throw new DraftError(path, `Say what ${path} is`);
      return scalar(real.name, text, path);
    }
  }
}
