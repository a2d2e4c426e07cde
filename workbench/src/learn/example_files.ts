/// <reference types="vite/client" />
// Models and data of the examples, as the repository has them: to draw them, and to serve one that is not served.
const models = import.meta.glob<string>('../../../models/*/model.sheaf', { query: '?raw', import: 'default', eager: true });
const data = import.meta.glob<string>('../../../models/*/data.json', { query: '?raw', import: 'default', eager: true });

/** undefined: the page was built without them. */
export const exampleText = (name: string): string | undefined => models[`../../../models/${name}/model.sheaf`];
export const exampleData = (name: string): string | undefined => data[`../../../models/${name}/data.json`];
