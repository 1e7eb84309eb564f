import type { Migration } from '@mikro-orm/migrations';
import { importFiles, names } from './files.js';

export interface NamedMigration {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * Names of all migrations in the order they run, found by name: `<timestamp>-<subject>.ts` exports one class. A
 * released migration is never edited.
 */
export const migrationNames = names;

/** Loads the migrations of these names. */
export async function loadMigrations(): Promise<NamedMigration[]> {
  const exports = await importFiles();
  return names.map((name, index) => migrationOf(name, exports[index] ?? {}));
}

function migrationOf(name: string, exported: Record<string, unknown>): NamedMigration {
  const [migration, ...more] = Object.values(exported) as NamedMigration['class'][];
  if (migration === undefined || more.length > 0) throw new Error(`${name} must export one migration`);
  return { name, class: migration };
}
