/**
 * `npm run guide`: copies the programs of examples/guide into the pages of the user's guide, and samples of deploy into the
 * operator's page, each into the fenced block after a comment with its path. `test/docs/guide.test.ts` compares them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages that show files of examples and deploy. */
export const pages = [
  'docs/operations.md',
  'docs/guide.md',
  ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`),
];

const included = /(<!-- ((?:examples|deploy)\/\S+) -->\n```\w+\n)[^]*?(^```$)/gm;

/** The text of a page with every program as it is in its file now. */
export function withExamples(text) {
  return text.replace(included, (_all, before, path, after) => before + readFileSync(path, 'utf8') + after);
}

/** The paths of the programs that a page shows. */
export function examplesOf(text) {
  return [...text.matchAll(included)].map(([, , path]) => path);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const page of pages) writeFileSync(page, withExamples(readFileSync(page, 'utf8')));
}
