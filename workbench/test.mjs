// Compiles what ends in .test.ts and runs it with Node's own test runner (which reads no TypeScript in Debian's Node 18).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const testsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? testsIn(path) : entry.name.endsWith('.test.ts') ? [path] : [];
  });

const out = mkdtempSync(join(tmpdir(), 'workbench-tests-'));
try {
  const { outputFiles: _, ...built } = await build({ entryPoints: testsIn(join(here, 'src')), bundle: true, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' }, outdir: out, jsx: 'automatic', jsxImportSource: 'preact', logLevel: 'warning', metafile: true });
  const files = Object.keys(built.metafile.outputs).map((path) => join(process.cwd(), path));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
