import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { unannouncedBreaks } from './breaking-changes.mjs';
import { generateClient } from './generate-client.mjs';

// What generated clients need of schema.graphql: a typed client compiles, Relay's documents compile, nothing that
// clients rely on has gone. Exits 1 with the reasons otherwise.
process.chdir(import.meta.dirname);
rmSync('generated', { recursive: true, force: true });
mkdirSync('generated/relay', { recursive: true });
copyFileSync('../schema.graphql', 'generated/schema.graphql');
const schemaText = readFileSync('../schema.graphql', 'utf8');

const run = (name, ...args) => execFileSync(process.execPath, [name, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, FORCE_NO_WATCHMAN: 'true' } });
try {
  console.log(`typed client: ${await generateClient(schemaText)} documents`);
  run('node_modules/relay-compiler/cli.js', '--repersist');
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
  console.log('types: the client and the Relay artifacts compile');
  const { base, breaks } = await unannouncedBreaks(schemaText);
  if (breaks.length > 0) throw new Error(`breaking changes since ${base}, none of them named in docs/graphql-breaking-changes.md:\n${breaks.map((line) => `  ${line}`).join('\n')}`);
  console.log(base ? `breaking changes since ${base}: none that is not announced` : 'breaking changes: there is no earlier schema to compare with');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
