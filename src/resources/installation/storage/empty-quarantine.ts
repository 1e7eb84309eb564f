import {
  quarantineFolder,
  readQuarantineKey,
  type SweepProgress,
} from '../../../domain/installation/stored-objects.js';
import { nextObjects } from './quarantine-orphans.js';
import { skipSomeFailures } from './skip-some-failures.js';
import type { StoredObjectKind, SweepServices } from './stored-object-kind.js';

const objectsOfARound = 500;

/**
 * Looks at the next objects in quarantine: moves back the objects that a row owns by now, and deletes the objects whose
 * time there is over.
 */
export async function emptyQuarantine(
  services: SweepServices,
  kinds: readonly StoredObjectKind[],
  progress: SweepProgress,
): Promise<void> {
  if (progress.quarantine === null) return;
  const { storage, clock } = services;
  const objects = await nextObjects(services, quarantineFolder, progress.quarantine, objectsOfARound);
  const skipFailing = skipSomeFailures(services.log);
  const entries = objects.flatMap(({ key }) => {
    const former = readQuarantineKey(key, clock.now());
    return former ? [{ quarantined: key, ...former }] : [];
  });
  for (const kind of kinds) {
    const ofKind = entries.filter(({ key }) => kind.has(key));
    if (ofKind.length === 0) continue;
    const orphans = await kind.orphans(
      services,
      ofKind.map(({ key }) => key),
    );
    for (const { key, quarantined, isOver } of ofKind)
      await skipFailing(quarantined, async () => {
        const comesBack = !orphans.has(key) && (await storage.stat(key)) === null;
        if (comesBack) {
          if (await storage.move(quarantined, key)) progress.counts.restored += 1;
        } else if (isOver) {
          await storage.delete(quarantined);
          progress.counts.deleted += 1;
        } else progress.counts.inQuarantine += 1;
      });
  }
  progress.quarantine = objects.length < objectsOfARound ? null : (objects.at(-1)?.key ?? null);
}
