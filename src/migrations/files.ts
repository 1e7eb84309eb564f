import { readdirSync } from 'node:fs';

/** What each file of this folder exports that is named `<timestamp>-<subject>`, in the order of their names. */
async function importFiles(): Promise<[file: string, exported: Record<string, unknown>][]> {
  const names = readdirSync(import.meta.dirname)
    .filter((name) => /^\d{14}-[\w-]+\.[jt]s$/.test(name))
    .sort();
  return Promise.all(
    names.map(async (name) => [
      name.replace(/\.[jt]s$/, ''),
      (await import(new URL(name, import.meta.url).href)) as Record<string, unknown>,
    ]),
  );
}

/** The bundled program has the files named one by one in place of this module (scripts/bundle-program.mjs). */
export const files = await importFiles();
