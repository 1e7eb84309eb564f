import type { ObjectStat } from '../../../storage/storage.js';
import {
  isOldEnough,
  objectsOfARound,
  quarantineKey,
  type SweepProgress,
} from '../../../domain/installation/stored-objects.js';
import { skipSomeFailures } from './skip-some-failures.js';
import type { StoredObjectKind, SweepServices } from './stored-object-kind.js';

const root = 'organizations/';

/**
 * Looks at the next objects of a pass and moves those into quarantine that no row owns, if they are old enough and were
 * stored since the storage is certainly this installation's: null means always.
 */
export async function quarantineOrphans(
  services: SweepServices,
  kinds: readonly StoredObjectKind[],
  progress: SweepProgress,
  ownedSince: Date | null,
): Promise<void> {
  if (progress.objects === null) return;
  const { storage, clock } = services;
  const objects = await nextObjects(services, root, progress.objects, objectsOfARound);
  countBytes(kinds, objects, progress);
  const skipFailing = skipSomeFailures(services.log);
  const old = objects.filter(({ modifiedAt }) => isOldEnough(modifiedAt, clock.now()));
  for (const kind of kinds) {
    const ofKind = old.filter(({ key }) => kind.has(key));
    if (ofKind.length === 0) continue;
    const orphans = await kind.orphans(
      services,
      ofKind.map(({ key }) => key),
    );
    for (const { key, modifiedAt } of ofKind) {
      if (!orphans.has(key)) continue;
      if (ownedSince !== null && modifiedAt < ownedSince) {
        progress.counts.unproven += 1;
        continue;
      }
      await skipFailing(key, async () => {
        // Written again since it was listed: its writer is about to record it.
        const now = await storage.stat(key);
        if (!now || !isOldEnough(now.modifiedAt, clock.now())) return;
        if (await storage.move(key, quarantineKey(key, clock.now()))) progress.counts.quarantined += 1;
      });
    }
  }
  progress.objects = objects.length < objectsOfARound ? null : (objects.at(-1)?.key ?? null);
}

function countBytes(
  kinds: readonly StoredObjectKind[],
  objects: readonly ObjectStat[],
  { bytes }: SweepProgress,
): void {
  if (!bytes) return;
  for (const { key, size } of objects) {
    const kind = kinds.find((each) => each.has(key))?.name;
    if (kind !== undefined) bytes[kind] = (bytes[kind] ?? 0) + size;
  }
}

/** Up to `limit` objects of a folder after a key; from the first if the key is empty. */
export async function nextObjects(
  { storage }: Pick<SweepServices, 'storage'>,
  folder: string,
  after: string,
  limit: number,
): Promise<ObjectStat[]> {
  const objects: ObjectStat[] = [];
  for await (const object of storage.list(folder, after === '' ? undefined : after)) {
    objects.push(object);
    if (objects.length === limit) break;
  }
  return objects;
}
