// The models that come with Sheaf, as texts. Loaded when somebody looks for one.
const files = import.meta.glob<string>('../../../models/*/model.sheaf', { query: '?raw', import: 'default', eager: true });

export interface Example {
  name: string;
  title: string; // the first sentence that the model says of itself
  text: string;
}

function titleOf(text: string): string {
  const said: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('///')) break;
    said.push(line.slice(3).trim());
  }
  return /^.*?[.:](?=\s|$)/.exec(said.join(' '))?.[0].replace(/[.:]$/, '') ?? said.join(' ');
}

export const EXAMPLES: Example[] = Object.entries(files).map(([path, text]) => ({ name: path.split('/').at(-2)!, title: titleOf(text), text }));
