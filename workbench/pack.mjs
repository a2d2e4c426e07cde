// The files of a directory, compressed, as a C++ source: node pack.mjs DIRECTORY OUT.cc
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const [directory, out] = process.argv.slice(2);

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

// Always three digits, so that what follows is no part of the number.
const literal = (bytes) => {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 64)
    lines.push('"' + Array.from(bytes.subarray(at, at + 64), (byte) => '\\' + byte.toString(8).padStart(3, '0')).join('') + '"');
  return lines.join('\n    ');
};

const entries = [...filesIn(directory)].sort().map((path) => {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`no type is known for ${path}`);
  const bytes = gzipSync(readFileSync(path), { level: 9 });
  return `  {"${relative(directory, path)}", "${type}", std::string_view(\n    ${literal(bytes)}, ${bytes.length})},`;
});
writeFileSync(
  out,
  `#include "workbench/page_files.h"

namespace sheaf::workbench {

std::span<const PageFile> page_files() {
  static constexpr PageFile kFiles[] = {
${entries.join('\n')}
  };
  return kFiles;
}

}  // namespace sheaf::workbench
`,
);
