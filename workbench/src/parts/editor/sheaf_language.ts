// Colours of the model language. Which words are keywords depends on where they stand; this goes by the word before.
import { StreamLanguage, type StreamParser } from '@codemirror/language';

const words = (text: string) => new Set(text.split(' '));
const DECLARATIONS = words('model table entity rel layout pattern op compare expect');
const KEYWORDS = words(
  'within as extends via pk sk tag ttl gsi in store key index when timestamps versioned required size of avg max unbounded edge on delete cascade restrict unlink unchecked loops ' +
    'copy one where filter order asc desc limit page and between exists missing begins budget requests request rounds round units rate strong snapshot prefer reads returns ' +
    'put upsert set add remove link check unique immutable changes rarely often default matches since stored count sum min id all keys include',
);
const STRATEGIES = words('auto ref collection path graph lists embed ids edges many both eav none item');
const TYPES = words('string number int bool binary time date ulid uuid any enum list map');
const ATOMS = words('true false null now');
const NAMING = words('model table entity layout pattern op within extends in');

interface State {
  isString: boolean;
  before: string; // the last word or mark
  depth: number; // of braces
}

const parser: StreamParser<State> = {
  name: 'sheaf',
  startState: () => ({ isString: false, before: '', depth: 0 }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.isString) {
      if (stream.match(/<[\w.]+(:[\w()]+)?>/)) return 'special';
      if (stream.match(/^\\./)) return 'escape';
      if (stream.eat('"')) state.isString = false;
      else if (!stream.eatWhile(/[^"\\<]/)) stream.next();
      // A string ends with its line.
      if (stream.eol()) state.isString = false;
      return 'string';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('///')) {
      stream.skipToEnd();
      return 'docComment';
    }
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    const { before } = state;
    if (stream.eat('"')) {
      state.isString = !stream.eol();
      state.before = '"';
      return 'string';
    }
    if (stream.match(/^(1--1|1--\*|\*--\*)/)) {
      state.before = '--';
      return 'operator';
    }
    if (stream.match(/^\$\s*(`[^`]*`|\w+)/)) {
      state.before = 'name';
      return 'parameter';
    }
    if (stream.match(/^-?\d+(\.\d+)?\b/)) {
      state.before = 'number';
      return 'number';
    }
    if (stream.match(/^`[^`]*`/)) {
      state.before = 'name';
      return 'name';
    }
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (!word) {
      state.before = stream.next() ?? '';
      if (state.before === '{') state.depth++;
      if (state.before === '}') state.depth--;
      return /[{}()[\]]/.test(state.before) ? 'bracket' : /[=<>+*/^?-]/.test(state.before) ? 'operator' : 'punctuation';
    }
    state.before = word[0];
    if (NAMING.has(before) || before === '--') return DECLARATIONS.has(before) ? 'definition' : 'entity';
    if (before === '.') return 'name';
    const starts = before === '' || before === '{' || before === '}' || before === ';';
    const isField = (starts || before === ',') && !DECLARATIONS.has(word[0]) && stream.match(/^\s+(id|string|number|int|bool|binary|time|date|ulid|uuid|any|enum)\b/, false);
    if (isField) return 'name';
    if (DECLARATIONS.has(word[0])) return 'keyword';
    if (ATOMS.has(word[0])) return 'atom';
    if (TYPES.has(word[0])) return 'type';
    if (KEYWORDS.has(word[0]) || STRATEGIES.has(word[0])) return 'modifier';
    if (/^[A-Z]/.test(word[0])) return 'entity';
    return 'name';
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"', '`'] }, indentOnInput: /^\s*\}$/ },
  indent: (state, after, { unit }) => Math.max(0, state.depth - (/^\s*\}/.test(after) ? 1 : 0)) * unit,
};

export const sheafLanguage = (tokens: Exclude<StreamParser<State>['tokenTable'], undefined>) => StreamLanguage.define({ ...parser, tokenTable: tokens });
