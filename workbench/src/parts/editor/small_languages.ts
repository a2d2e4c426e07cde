// Colours of JSON and of PartiQL, which are small enough to be told by their words.
import { StreamLanguage, type StreamParser } from '@codemirror/language';

type Tokens = NonNullable<StreamParser<unknown>['tokenTable']>;

export const jsonLanguage = (tokenTable: Tokens) =>
  StreamLanguage.define<object>({
    name: 'json',
    tokenTable,
    startState: () => ({}),
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^"([^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'name' : 'string';
      if (stream.match(/^-?\d+(\.\d+)?([eE][-+]?\d+)?/)) return 'number';
      if (stream.match(/^(true|false|null)\b/)) return 'atom';
      return /[{}[\]]/.test(stream.next() ?? '') ? 'bracket' : 'punctuation';
    },
    languageData: { closeBrackets: { brackets: ['[', '{', '"'] } },
  });

const SQL = new Set(
  'select from where insert into value update set remove delete and or not in between is null missing begins_with contains attribute_type size exists as returning all old new modified order by asc desc'.split(' '),
);

export const sqlLanguage = (tokenTable: Tokens) =>
  StreamLanguage.define<object>({
    name: 'sql',
    tokenTable,
    startState: () => ({}),
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match('--')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (stream.match(/^'([^']|'')*'?/)) return 'string';
      if (stream.match(/^"([^"]|"")*"?/)) return 'entity';
      if (stream.match(/^-?\d+(\.\d+)?/)) return 'number';
      const word = stream.match(/^[A-Za-z_][\w]*/) as RegExpMatchArray | null;
      if (word) return SQL.has(word[0].toLowerCase()) ? 'keyword' : /^(true|false)$/i.test(word[0]) ? 'atom' : 'name';
      return stream.next() === '?' ? 'parameter' : 'punctuation';
    },
    languageData: { commentTokens: { line: '--' }, closeBrackets: { brackets: ['(', '[', '{', "'", '"'] } },
  });
