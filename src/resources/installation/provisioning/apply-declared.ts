import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.js';
import { Problem } from '../../../domain/problem.js';
import type { Ledger, ProvisionedKind } from './ledger.js';
import { snakeCase, wasProvisioned } from './reconcile.js';

/** Runs one operation inside the transaction of the plan. */
export type Command = (context: Context, input: object) => Promise<unknown>;

/** The operations that a plan is applied with where a row is more than its columns; the verbs are theirs. */
export type Commands = Readonly<
  Record<
    | 'createPipeline'
    | 'updatePipeline'
    | 'createSchedule'
    | 'updateSchedule'
    | 'createTemplate'
    | 'updateTemplate'
    | 'createRule'
    | 'updateRule'
    | 'createSecret'
    | 'updateSecret'
    | 'updateSecretValue'
    | 'createConnection'
    | 'updateConnection'
    | 'createService'
    | 'updateService'
    | 'enableService'
    | 'disableService'
    | 'deletePipeline'
    | 'deleteSchedule'
    | 'deleteTemplate'
    | 'deleteRule'
    | 'deleteSecret'
    | 'deleteService'
    | 'deleteTeam'
    | 'deleteSuite',
    Command
  >
>;

type Fields = Readonly<Record<string, unknown>>;

interface Declared {
  kind: ProvisionedKind;
  /** Its full name, also the identity under which a deletion is remembered. */
  name: string;
  path: string;
  organizationId: string;
  /** Fields of the entry; undefined keeps what is there. */
  values: Fields;
  /** The row's fields in the same form; null if there is no row with the entry's identity. */
  current: (Fields & { id: string }) | null;
  create: () => Promise<string>;
  /** Takes the fields that differ. */
  update: (changed: Fields, id: string) => Promise<unknown>;
}

/**
 * Applies one entry by operations: creates it, updates what differs, or leaves it. Null if it was refused, or deleted
 * and is not created again.
 */
export async function applyDeclared(context: Context, ledger: Ledger, entry: Declared): Promise<string | null> {
  const { kind, name, organizationId, current } = entry;
  if (!current) {
    if (await wasProvisioned(context, organizationId, entry)) {
      ledger.keep(kind, name, 'deleted');
      return null;
    }
    const id = await orRefusal(ledger, entry.path, entry.create);
    if (id !== null) ledger.note({ action: 'created', kind, name, id, organizationId });
    return id;
  }
  const changed = Object.entries(entry.values).filter(
    ([field, value]) => value !== undefined && !covers(current[field], value),
  );
  if (changed.length > 0) {
    const done = await orRefusal(ledger, entry.path, async () => {
      await entry.update(Object.fromEntries(changed), current.id);
      return true;
    });
    if (done) {
      const fields = changed.map(([field]) => snakeCase(field));
      ledger.note({ action: 'updated', kind, name, fields, id: current.id, organizationId });
    }
  }
  return current.id;
}

/** Whether a stored value is the planned one; of an object that is merged on update, only the planned keys count. */
function covers(stored: unknown, planned: unknown): boolean {
  if (!isRecord(planned) || !isRecord(stored)) return isSame(stored, planned);
  return Object.entries(planned).every(([key, value]) => isSame(stored[key], value));
}

/** Maps of a YAML file have no prototype, which clones have again. */
const isSame = (stored: unknown, planned: unknown) =>
  isDeepStrictEqual(structuredClone(stored ?? null), structuredClone(planned));

const exactly = Symbol('compared as a whole');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(exactly in value);

/** Marks an object that an update replaces, so that a key which the plan does not name is a difference. */
export function asWhole<T extends object>(value: T): T {
  Object.defineProperty(value, exactly, { value: true, enumerable: false });
  return value;
}

/** What the work returns; null if an operation refused it, with its problems in the ledger at their places. */
async function orRefusal<T>(ledger: Ledger, path: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fields = error.details.fields ?? [];
    for (const { field, code } of fields) ledger.refuse(`${path}.${field}`, `${snakeCase(field)} ${code}`);
    if (fields.length === 0) ledger.refuse(path, error.message);
    return null;
  }
}
