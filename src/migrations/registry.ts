import type { Migration } from '@mikro-orm/migrations';
import { files } from './files.js';

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

function migrationOf(name: string, exported: Record<string, unknown>): { name: string; class: MigrationClass } {
  const [migration, ...more] = Object.values(exported) as MigrationClass[];
  if (migration === undefined || more.length > 0) throw new Error(`${name} must export one migration`);
  return { name, class: migration };
}

/**
 * Every migration in the order it runs, found by name: `<timestamp>-<subject>.ts` exports one class. A released
 * migration is never edited.
 */
export const migrations = files.map(([name, exported]) => migrationOf(name, exported));
