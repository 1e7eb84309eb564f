import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import { acceptedKeys, keyId } from '../auth/secret-keys.js';
import type { Services } from '../services.js';
import { inLane } from '../database/lanes.js';
import { within } from '../http/within.js';
import { type StorageHealth, StorageProbe } from '../storage/probe.js';

const patience = 3_000;
/** Milliseconds for which the result of a finished check is reused; a flood of requests costs four checks a second. */
const freshMs = 250;
/**
 * Milliseconds for which `/healthz` is answered from a check that found everything in order, while the next one is under
 * way: a check takes several turns of an event loop that requests keep busy, and whoever asks waits for one turn only.
 */
const goodForMs = 1_000;

/** Parts that `/readyz` reports, each `ok` or a sentence for the operator. */
interface Readiness {
  database: string;
  schema: string;
  key: string;
  storage: string;
}

const parts = ['database', 'schema', 'key', 'storage'] as const;
const ok = 'ok';
const unknown = 'unknown: the database does not answer';

export interface HealthHandlers {
  /** `GET /healthz`: 200 if the process could serve at most a second ago, else what a check finds: 200, or 503 with one sentence. */
  health: RequestHandler;
  /** `GET /readyz`: what a check finds, naming each part. */
  readiness: RequestHandler;
}

/**
 * Health of this process: the database answers within three seconds, its schema and secret key are this process's, and
 * the storage writes and reads an object. (Before the migrations are done and while draining, the gate answers 503.) A
 * failure is logged when it begins and when it ends, not at each request.
 */
export function healthHandlers(
  services: Services,
  { isMigrated }: { isMigrated: () => Promise<boolean> },
): HealthHandlers {
  const probe = new StorageProbe(services.storage);
  const logged: Partial<Record<(typeof parts)[number], string>> = {};
  const schema = onceTrue(isMigrated);

  let goodAt = Number.NEGATIVE_INFINITY;
  const check = sharedFor(freshMs, async (): Promise<Readiness> => {
    const [ofDatabase, storage] = await Promise.all([checkDatabase(services, schema), probe.check()]);
    const state = { ...ofDatabase, storage: storageState(services, storage) };
    for (const part of parts) {
      if (logged[part] !== undefined && state[part] === ok) services.log.info({ part }, 'health check: works again');
      if (state[part] !== ok && logged[part] === undefined)
        services.log.error({ part, reason: state[part] }, 'health check: cannot be used');
      logged[part] = state[part] === ok ? undefined : state[part];
    }
    goodAt = parts.every((part) => state[part] === ok) ? performance.now() : Number.NEGATIVE_INFINITY;
    return state;
  });

  return {
    health: async (_request, response) => {
      const checking = check();
      const wasGood = performance.now() - goodAt < goodForMs;
      const state = wasGood ? null : await checking;
      const failed = parts.find((part) => state !== null && state[part] !== ok);
      response.set('Cache-Control', 'no-store');
      if (failed === undefined) response.json({ status: 'ok' });
      else response.status(503).set('Retry-After', '1').json({ status: 'unavailable', message: sentences[failed] });
    },
    readiness: async (_request, response) => {
      const state = await check();
      const ready = parts.every((part) => state[part] === ok);
      response.set('Cache-Control', 'no-store');
      if (!ready) response.status(503).set('Retry-After', '1');
      // Reasons may name internal hosts, so they are only in the log.
      const shown = Object.fromEntries(parts.map((part) => [part, state[part] === ok ? ok : 'unavailable']));
      const failed = parts.find((part) => state[part] !== ok);
      response.json({
        status: ready ? 'ready' : 'unavailable',
        message: failed === undefined ? 'Everything can be used' : sentences[failed],
        ...shown,
      });
    },
  };
}

function storageState({ isStorageForeign = false }: Services, health: StorageHealth): string {
  if (isStorageForeign) return 'is that of another installation';
  return health.usable ? ok : `cannot be used: ${health.reason}`;
}

const sentences: Record<(typeof parts)[number], string> = {
  database: 'The database does not answer',
  schema: 'The database schema is not that of this release',
  key: 'The secret key is not that of the database',
  storage: 'Storage of logs and artifacts cannot be used',
};

async function checkDatabase(
  services: Services,
  schema: () => Promise<boolean>,
): Promise<Pick<Readiness, 'database' | 'schema' | 'key'>> {
  try {
    return await inLane('health', () => within(askDatabase(services, schema), patience));
  } catch (error) {
    return { database: error instanceof Error ? error.message : String(error), schema: unknown, key: unknown };
  }
}

async function askDatabase(
  { db, secretKey }: Services,
  schema: () => Promise<boolean>,
): Promise<Pick<Readiness, 'database' | 'schema' | 'key'>> {
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

/** Runs `work` once for all callers while it runs, and for `milliseconds` after it has succeeded. */
export function sharedFor<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let current: { result: Promise<T>; endedAt: number | null } | null = null;
  return () => {
    const usable = current !== null && (current.endedAt === null || performance.now() - current.endedAt < milliseconds);
    if (current !== null && usable) return current.result;
    const flight: { result: Promise<T>; endedAt: number | null } = { result: work(), endedAt: null };
    current = flight;
    flight.result.then(
      () => (flight.endedAt = performance.now()),
      () => (flight.endedAt = Number.NEGATIVE_INFINITY),
    );
    return flight.result;
  };
}

/** Asks until the answer is yes: a schema that is up to date stays so while this release runs. */
function onceTrue(ask: () => Promise<boolean>): () => Promise<boolean> {
  let known = false;
  return async () => (known ||= await ask());
}
