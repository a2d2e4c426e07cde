// The same call for a program: curl, JavaScript, Python.

export interface ModelCall {
  model: string;
  kind: 'patterns' | 'operations';
  name: string;
  values: Record<string, unknown>;
  cursor?: string;
}
export type CallLanguage = 'curl' | 'javascript' | 'python';
export const CALL_LANGUAGES: { name: CallLanguage; label: string }[] = [
  { name: 'curl', label: 'curl' },
  { name: 'javascript', label: 'JavaScript' },
  { name: 'python', label: 'Python' },
];

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
function inPython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inPython(each)}`).join(', ')}}`;
  return JSON.stringify(value);
}

export function callText({ model, kind, name, values, cursor }: ModelCall, language: CallLanguage, origin: string, isSigned: boolean): string {
  const url = `${origin}/models/${encodeURIComponent(model)}/${kind}/${encodeURIComponent(name)}`;
  const body = { with: values, ...(cursor ? { cursor } : {}), cost: true };
  const gives = kind === 'patterns' ? 'documents' : 'put';
  switch (language) {
    case 'curl': {
      const signing = isSigned ? ` \\\n  --aws-sigv4 aws:amz:us-east-1:dynamodb --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"` : '';
      return `curl ${inShell(url)} -H 'content-type: application/json'${signing} \\\n  -d ${inShell(JSON.stringify(body))}`;
    }
    case 'javascript':
      return [
        ...(isSigned ? [`// Requests to this server are signed: sheaf model client ${model}.sheaf --as typescript writes a client that does it.`] : []),
        `const answer = await fetch(${JSON.stringify(url)}, {`,
        `  method: 'POST',`,
        `  headers: { 'content-type': 'application/json' },`,
        `  body: JSON.stringify(${JSON.stringify(body)}),`,
        `});`,
        `const { ${gives}, ${kind === 'patterns' ? 'cursor, ' : ''}cost, error } = await answer.json();`,
        `if (error) throw new Error(error.message);`,
        `console.log(${gives});`,
      ].join('\n');
    case 'python':
      return [
        ...(isSigned ? [`# Requests to this server are signed: sheaf model client ${model}.sheaf --as python writes a client that does it.`] : []),
        `import json, urllib.request`,
        ``,
        `body = ${inPython(body)}`,
        `request = urllib.request.Request(`,
        `    ${JSON.stringify(url)},`,
        `    json.dumps(body).encode(),`,
        `    {"content-type": "application/json"},`,
        `)`,
        `with urllib.request.urlopen(request) as answer:`,
        `    print(json.load(answer)[${JSON.stringify(gives)}])`,
      ].join('\n');
  }
}
