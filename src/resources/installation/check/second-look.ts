import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a deletion pauses between two batches. */
const pauseMs = 700;

/**
 * Looks once more, after a pause, at things that look wrong: one that is being deleted in batches has fewer rows by
 * then, or is gone, and is no finding. Nothing waits where nothing looks wrong. `rowsOf` is what changes in a deletion.
 */
export async function secondLook<Thing>(
  suspects: readonly Thing[],
  idOf: (thing: Thing) => string,
  readAgain: (ids: readonly string[]) => Promise<readonly Thing[]>,
  rowsOf: (thing: Thing) => string,
): Promise<Thing[]> {
  if (suspects.length === 0) return [];
  await sleep(pauseMs);
  const before = new Map(suspects.map((thing) => [idOf(thing), rowsOf(thing)]));
  const again = await readAgain([...before.keys()]);
  return again.filter((thing) => before.get(idOf(thing)) === rowsOf(thing));
}
