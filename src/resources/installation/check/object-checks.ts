import { createHash } from 'node:crypto';
import { isOldEnough, quarantineKey } from '../../../domain/installation/stored-objects.js';
import type { Services } from '../../../services/services.js';
import { digestOf, loadRun } from '../../../storage/logs/packing.js';
import { confirmStorage } from '../storage/claim-storage.js';
import { nextObjects } from '../storage/quarantine-orphans.js';
import type { StoredObjectKind, StoredRow } from '../storage/stored-object-kind.js';
import { storedObjectKinds } from '../storage/stored-object-kinds.js';
import { type Check, defineCheck, type Finding, findingOf, type Page } from './check.js';

const rowsAtOnce = 200;
const readsAtOnce = 8;
const objectsAtOnce = 500;

/** What is wrong with the object of a row; null if it is as the row says. */
type Fault = { is: string; expected: string } | null;

interface SuspectRow {
  kind: string;
  row: StoredRow;
}

/** Rows of a kind of objects against their objects, as far as `faultOf` looks. */
function rowsAgainstObjects(
  kind: StoredObjectKind,
  name: string,
  faultOf: (services: Services, row: StoredRow) => Promise<Fault>,
): Check {
  return defineCheck<SuspectRow>({
    name,
    page: async (services, after, organizationId) => {
      const cursor = after === null ? null : (JSON.parse(after) as StoredRow['cursor']);
      const rows = await kind.rowsAfter(services, cursor, rowsAtOnce);
      const own = rows.filter(({ key }) => key.startsWith(folderOf(organizationId)));
      const suspects: SuspectRow[] = [];
      for (let start = 0; start < own.length; start += readsAtOnce) {
        const some = own.slice(start, start + readsAtOnce);
        const faults = await Promise.all(some.map((row) => faultOf(services, row)));
        some.forEach((row, index) => faults[index] && suspects.push({ kind: kind.name, row }));
      }
      const last = rows.at(-1);
      return {
        count: own.length,
        suspects,
        next: rows.length < rowsAtOnce || !last ? null : JSON.stringify(last.cursor),
      } satisfies Page<SuspectRow>;
    },
    examine: async (services, { row }, repairs) => {
      const fault = await faultOf(services, row);
      // The row goes before its object: one that is still there has lost it.
      if (!fault || !(await kind.isOwner(services, row))) return [];
      const copy = (await kind.rebuild?.(services, row)) ?? null;
      if (repairs && copy) await services.storage.put(row.key, copy);
      return [
        findingOf(
          {
            promise: 'I19',
            subject: `object ${row.key} of ${kind.name}`,
            ...fault,
            remedy: copy ? 'stored it again, from the piece that has the same bytes' : null,
            advice: `its bytes are lost: bring the object back from a backup; readers are told that it is missing`,
          },
          repairs,
        ),
      ];
    },
  });
}

/** Each row of a log chunk or an artifact has an object of the size that it says (I19). */
export const objectsOfRows: readonly Check[] = storedObjectKinds.map((kind) =>
  rowsAgainstObjects(kind, `objects of ${kind.name}`, async ({ storage }, { key, size }) => {
    const stat = await storage.stat(key);
    if (stat === null) return { is: 'not in the storage', expected: `${size} bytes` };
    return stat.size === size ? null : { is: `${stat.size} bytes`, expected: `${size} bytes` };
  }),
);

/** The bytes of each object are those that its row, or its key, has the digest of. */
export const digestsOfObjects: readonly Check[] = storedObjectKinds.map((kind) =>
  rowsAgainstObjects(kind, `bytes of ${kind.name}`, async ({ storage }, { key, size, sha256, run }) => {
    const stat = await storage.stat(key);
    // What is missing, or has another size, was found before.
    if (stat?.size !== size) return null;
    if (run) {
      const loaded = await loadRun(storage, { ...run, sequence: 0, key, storedSize: size });
      if (typeof loaded === 'string') return loaded === 'missing' ? null : { is: loaded, expected: 'a readable piece' };
      const intact = key.endsWith(`-${digestOf(loaded.bytes)}.gz`);
      return intact ? null : { is: 'other bytes', expected: 'the bytes whose digest is in its name' };
    }
    if (sha256 === null) return null;
    const hash = createHash('sha256');
    for await (const piece of (await storage.get(key)) ?? []) hash.update(piece as Buffer);
    const digest = hash.digest('hex');
    return digest === sha256 ? null : { is: `SHA-256 ${digest}`, expected: `SHA-256 ${sha256}` };
  }),
);

/** Where the objects of an organization are, or of all. */
const folderOf = (organizationId: string | null) =>
  organizationId === null ? 'organizations/' : `organizations/${organizationId}/`;

interface Orphan {
  key: string;
  kind: string;
}

/** Objects that no row owns, older than a write or the restore of a backup takes (I19). */
export const objectsWithoutRows: Check = defineCheck<Orphan>({
  name: 'orphans',
  page: async (services, after, organizationId) => {
    const objects = await nextObjects(services, folderOf(organizationId), after ?? '', objectsAtOnce);
    const old = objects.filter(({ modifiedAt }) => isOldEnough(modifiedAt, services.clock.now()));
    const suspects: Orphan[] = [];
    for (const kind of storedObjectKinds) {
      const keys = old.flatMap(({ key }) => (kind.has(key) ? [key] : []));
      const orphans = keys.length === 0 ? [] : await kind.orphans(services, keys);
      for (const key of orphans) suspects.push({ key, kind: kind.name });
    }
    const next = objects.length < objectsAtOnce ? null : (objects.at(-1)?.key ?? null);
    return { count: objects.length, suspects, next };
  },
  examine: async (services, { key, kind: name }, repairs): Promise<Finding[]> => {
    const { storage, clock } = services;
    const kind = storedObjectKinds.find((each) => each.name === name);
    const stat = await storage.stat(key);
    if (!stat || !isOldEnough(stat.modifiedAt, clock.now())) return [];
    if (!(await kind?.orphans(services, [key]))?.has(key)) return [];
    const mark = repairs ? await confirmStorage(services) : null;
    const isOwn = mark !== null && (mark.ownedSince === null || stat.modifiedAt >= mark.ownedSince);
    if (isOwn) await storage.move(key, quarantineKey(key, clock.now()));
    const remedy = 'moved it into quarantine, from where it is deleted after seven days';
    return [
      findingOf(
        {
          promise: 'I19',
          subject: `object ${key}`,
          is: `stored at ${stat.modifiedAt.toISOString()}, ${stat.size} bytes, of no row`,
          expected: 'the object of a row',
          remedy: repairs && !isOwn ? null : remedy,
          advice: 'it may be that of another installation: slipway sweep-storage --unproven moves it aside',
        },
        repairs,
      ),
    ];
  },
});
