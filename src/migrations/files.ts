import { readdirSync } from 'node:fs';

/** Names of the files of this folder that are named `<timestamp>-<subject>`, without the ending, in their order. */
export const names: readonly string[] = readdirSync(import.meta.dirname)
  .flatMap((file) => /^(\d{14}-[\w-]+)\.[jt]s$/.exec(file)?.[1] ?? [])
  .sort();

/**
 * What each of these files exports. The bundled program has them named one by one, in a chunk that a process loads only
 * if it has to migrate (scripts/bundle-program.mjs).
 */
export async function importFiles(): Promise<Record<string, unknown>[]> {
  const ending = import.meta.filename.slice(-3);
  return Promise.all(
    names.map((name) => import(new URL(`${name}${ending}`, import.meta.url).href) as Promise<Record<string, unknown>>),
  );
}
