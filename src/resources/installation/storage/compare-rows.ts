import type { SweepProgress } from '../../../domain/installation/stored-objects.js';
import type { StoredObjectKind, SweepServices } from './stored-object-kind.js';

const rowsOfARound = 200;
const statsAtOnce = 8;
const mostExamples = 10;

/** Looks at the next rows of a kind and counts the rows whose object is gone. */
export async function compareRows(
  services: SweepServices,
  kind: StoredObjectKind,
  { rows: rowsByKind, examples }: SweepProgress,
): Promise<void> {
  const progress = rowsByKind[kind.name];
  if (!progress || progress.ended) return;
  const rows = await kind.rowsAfter(services, progress.cursor, rowsOfARound);
  for (let start = 0; start < rows.length; start += statsAtOnce) {
    const some = rows.slice(start, start + statsAtOnce);
    const stats = await Promise.all(some.map(({ key }) => services.storage.stat(key)));
    for (const [index, row] of some.entries()) {
      if (stats[index] || !(await kind.isOwner(services, row))) continue;
      progress.missing += 1;
      if (examples.length < mostExamples) examples.push(row.key);
    }
  }
  progress.cursor = rows.at(-1)?.cursor ?? null;
  progress.ended = rows.length < rowsOfARound;
}
