// The models that are served: their patterns and operations (doc/http.md).
import { askJson } from './session';

export interface Parameter {
  name: string;
  type: string;
  optional?: boolean;
}
export interface PatternSummary {
  name: string;
  doc?: string;
  parameters: Parameter[];
  document: string;
  gives: 'one or none' | 'pages';
}
export interface OperationSummary {
  name: string;
  doc?: string;
  parameters: Parameter[];
}
export interface ModelSummary {
  name: string;
  doc?: string;
  layout: string;
  tables: string[];
  types: Record<string, string>;
  patterns: PatternSummary[];
  operations: OperationSummary[];
}
export interface Cost {
  requests: number;
  rounds: number;
  units: number;
  items_read: number;
}
export interface PatternAnswer {
  documents: unknown[];
  cursor?: string;
  plan?: string;
  cost?: Cost;
}

export const summaryOf = (name: string): Promise<ModelSummary> => askJson({ path: `/models/${encodeURIComponent(name)}` });

export const askPattern = (model: string, pattern: string, values: unknown, cursor?: string): Promise<PatternAnswer> =>
  askJson({
    method: 'POST',
    path: `/models/${encodeURIComponent(model)}/patterns/${encodeURIComponent(pattern)}`,
    body: JSON.stringify({ with: values, plan: true, cost: true, ...(cursor ? { cursor } : {}) }),
    headers: { 'content-type': 'application/json' },
  });

export const runOperation = (model: string, operation: string, values: unknown): Promise<{ put: unknown[]; cost?: Cost }> =>
  askJson({
    method: 'POST',
    path: `/models/${encodeURIComponent(model)}/operations/${encodeURIComponent(operation)}`,
    body: JSON.stringify({ with: values, cost: true }),
    headers: { 'content-type': 'application/json' },
  });
