import { readdirSync } from 'node:fs';
import type { Migration } from '@mikro-orm/migrations';

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

const files = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{14}-[\w-]+\.[jt]s$/.test(file))
  .sort();

async function load(file: string): Promise<{ name: string; class: MigrationClass }> {
  const exported = Object.values((await import(new URL(file, import.meta.url).href)) as Record<string, MigrationClass>);
  const [migration] = exported;
  if (migration === undefined || exported.length > 1) throw new Error(`${file} must export one migration`);
  return { name: file.replace(/\.[jt]s$/, ''), class: migration };
}

/**
 * Every migration in the order it runs, found by name: `<timestamp>-<subject>.ts` exports one class. A released
 * migration is never edited.
 */
export const migrations = await Promise.all(files.map(load));
