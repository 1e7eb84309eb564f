import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import { acceptedKeys, keyId } from '../auth/secret-keys.js';
import type { Services } from '../services/services.js';
import { inLane } from '../database/lanes.js';
import { within } from '../http/within.js';
import { type StorageHealth, StorageProbe } from '../storage/probe.js';
import { outputOf } from './log-output.js';
import { scheduledBackupState } from './scheduled-backups.js';
import { setAsideCounts } from './set-aside-work.js';
import { sharedFor } from './shared-for.js';

export { sharedFor };

const patience = 3_000;
/** Milliseconds for which the result of a finished check is reused; a flood of requests costs four checks a second. */
const freshMs = 250;
/**
 * Milliseconds for which `/healthz` is answered from a check that found everything in order, while the next one is
 * under way: a check takes several turns of an event loop that requests keep busy, and a caller waits for one turn
 * only.
 */
const goodForMs = 1_000;

/** Parts that the process cannot serve without; `/healthz` checks only these. */
const serving = ['database', 'schema', 'key'] as const;
/**
 * Parts that `/readyz` looks at. A restart does not clear a disk or mend a bucket, so these are not those of
 * `/healthz`.
 */
const parts = [...serving, 'storage'] as const;

type Part = (typeof parts)[number];
/** Each part is `ok` or a sentence for the operator. */
type Serving = Record<(typeof serving)[number], string>;
type Readiness = Record<Part, string>;

const ok = 'ok';
const unknown = 'unknown: the database does not answer';

export interface HealthHandlers {
  /**
   * `GET /healthz`: 200 if the process could serve at most a second ago, else what a check finds: 200, or 503 with one
   * sentence.
   */
  health: RequestHandler;
  /**
   * `GET /readyz`: what a check finds, naming each part. Says whether log lines are lost, background work is set aside
   * and the scheduled backup failed, which makes nothing unready.
   */
  readiness: RequestHandler;
}

/**
 * Liveness and readiness of this process. It lives while the database answers within three seconds and its schema and
 * secret key are this process's; it is ready if the storage writes and reads an object, too. (The gate answers 503
 * while the process stops.) A failure is logged when it begins and when it ends, not at each request.
 */
export function healthHandlers(
  services: Services,
  { isMigrated }: { isMigrated: () => Promise<boolean> },
): HealthHandlers {
  const probe = new StorageProbe(services.storage);
  const countSetAside = setAsideCounts(services);
  const backupState = scheduledBackupState(services);
  const logged = new Map<Part, string>();
  const schema = onceTrue(isMigrated);
  const note = (part: Part, state: string) => {
    if (state === ok && logged.delete(part)) services.log.info({ part }, 'health check: works again');
    if (state === ok || logged.has(part)) return;
    logged.set(part, state);
    services.log.error({ part, reason: state }, 'health check: cannot be used');
  };

  let goodAt = Number.NEGATIVE_INFINITY;
  const checkServing = sharedFor(freshMs, async (): Promise<Serving> => {
    const state = await checkDatabase(services, schema);
    for (const part of serving) note(part, state[part]);
    goodAt = serving.every((part) => state[part] === ok) ? performance.now() : Number.NEGATIVE_INFINITY;
    return state;
  });
  const checkAll = async (): Promise<Readiness & { isFilling: boolean }> => {
    const [state, health, room] = await Promise.all([checkServing(), probe.check(), services.diskRoom?.look()]);
    const storage = storageState(services, health, room?.state === 'short');
    note('storage', storage);
    return { ...state, storage, isFilling: room?.state === 'filling' };
  };

  return {
    health: async (_request, response) => {
      const checking = checkServing();
      const wasGood = performance.now() - goodAt < goodForMs;
      const state = wasGood ? null : await checking;
      const failed = serving.find((part) => state !== null && state[part] !== ok);
      response.set('Cache-Control', 'no-store');
      if (failed === undefined) response.json({ status: 'ok' });
      else response.status(503).set('Retry-After', '1').json({ status: 'unavailable', message: sentences[failed] });
    },
    readiness: async (_request, response) => {
      const [state, setAside, backup] = await Promise.all([checkAll(), countSetAside(), backupState()]);
      const backupFails = (backup?.failures ?? 0) > 0;
      const failed = parts.find((part) => state[part] !== ok);
      const replica = services.readReplica?.current();
      const losesLog = outputOf(services.log)?.stopped ?? false;
      response.set('Cache-Control', 'no-store');
      if (failed !== undefined) response.status(503).set('Retry-After', '1');
      // Reasons may name internal hosts, so they are only in the log.
      const shown = Object.fromEntries(parts.map((part) => [part, state[part] === ok ? ok : 'unavailable']));
      const units = [...(setAside?.values() ?? [])].reduce((sum, count) => sum + count, 0);
      const problems = [
        ...(state.isFilling ? ['the disk of logs and artifacts is filling'] : []),
        ...(losesLog ? ['log lines cannot be written'] : []),
        ...(units > 0 ? [`background work is set aside (${units}): see slipway set-aside list`] : []),
        ...(replica && replica !== 'ok' ? [sentencesOfReplica[replica]] : []),
        ...(backupFails ? ['the scheduled backup failed: the log says why'] : []),
      ];
      const allGood = ['Everything can be used', ...problems].join(', but ');
      response.json({
        status: failed === undefined ? 'ready' : 'unavailable',
        message: failed === undefined ? allGood : sentences[failed],
        ...shown,
        ...(state.isFilling ? { disk: 'filling' } : {}),
        log: losesLog ? 'unavailable' : ok,
        ...(units > 0 ? { background: 'set_aside' } : {}),
        ...(replica ? { read_replica: replica } : {}),
        ...(backup ? { backup: backupFails ? 'failed' : ok } : {}),
      });
    },
  };
}

function storageState({ isStorageForeign = false }: Services, health: StorageHealth, isShortOfRoom: boolean): string {
  if (isStorageForeign) return 'is that of another installation';
  if (isShortOfRoom) return 'its disk has less free than DISK_RESERVE';
  return health.usable ? ok : `cannot be used: ${health.reason}`;
}

const sentences: Record<Part, string> = {
  database: 'The database does not answer',
  schema: 'The database schema is not that of this release',
  key: 'The secret key is not that of the database',
  storage: 'Storage of logs and artifacts cannot be used',
};

const sentencesOfReplica = {
  late: 'the read replica is too far behind: lists are read on the primary',
  unavailable: 'the read replica cannot be used: lists are read on the primary',
} as const;

async function checkDatabase(services: Services, schema: () => Promise<boolean>): Promise<Serving> {
  try {
    return await inLane('health', () => within(askDatabase(services, schema), patience));
  } catch (error) {
    return { database: error instanceof Error ? error.message : String(error), schema: unknown, key: unknown };
  }
}

async function askDatabase({ db, secretKey }: Services, schema: () => Promise<boolean>): Promise<Serving> {
  const own = acceptedKeys(secretKey).map(keyId);
  const { rows } = await sql<{
    foreign: boolean;
  }>`select exists (select 1 from secret_keys where not (id = any(${own}::text[]))) as foreign`.execute(db);
  return {
    database: ok,
    schema: (await schema()) ? ok : 'migrations are pending',
    key: rows[0]?.foreign ? 'values are sealed with a key this process does not have' : ok,
  };
}

/** Asks until the answer is yes: a schema that is up to date stays so while this release runs. */
function onceTrue(ask: () => Promise<boolean>): () => Promise<boolean> {
  let known = false;
  return async () => (known ||= await ask());
}
