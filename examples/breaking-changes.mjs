import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const note = '../docs/graphql-breaking-changes.md';

/** The schema that clients were last given: that of SCHEMA_BASE, else of the newest release's tag, else of the commit before this one. */
function baseSchema() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 });
  const candidates = [() => process.env.SCHEMA_BASE, () => git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim(), () => 'HEAD^'];
  for (const name of candidates) {
    try {
      const base = name();
      if (base) return { base, text: git('show', `${base}:schema.graphql`) };
    } catch {
      // No such tag or commit, as in a shallow copy: the next one.
    }
  }
  return null;
}

/** The changes that would break a client and that the change note does not name, a line each. */
export async function unannouncedBreaks(schemaText) {
  const before = baseSchema();
  if (!before) return { base: null, breaks: [] };
  const noted = new Set(existsSync(note) ? [...readFileSync(note, 'utf8').matchAll(/^- `([^`]+)`/gm)].map(([, path]) => path) : []);
  const changes = await diff(buildSchema(before.text), buildSchema(schemaText));
  const breaks = changes.filter(({ criticality, path }) => criticality.level === CriticalityLevel.Breaking && !noted.has(path ?? ''));
  return { base: before.base, breaks: breaks.map(({ path, message }) => `${path}: ${message}`) };
}
