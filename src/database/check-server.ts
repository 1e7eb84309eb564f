import pg from 'pg';
import { codeOf } from './faults.js';
import { databaseTarget, DatabaseStartError, startErrorOf } from './start-error.js';

/** The first release of PostgreSQL with all that migrations use, as the server numbers it. */
const oldestServer = 140_000;

/** Milliseconds until a connection must be open, and for each statement. */
const patienceMs = 5_000;

interface ServerFacts {
  version: string;
  version_number: number;
  standby: boolean;
  encoding: string;
  pid: number;
}

/**
 * Checks the PostgreSQL server that a URL names before anything uses it: reachable, new enough, no standby, in UTF-8,
 * and not behind a pooler that shares sessions. Throws {@link DatabaseStartError}.
 */
export async function checkServer(url: string): Promise<void> {
  const { address, database } = databaseTarget(url);
  const client = newClient(url);
  try {
    await client.connect();
    const { rows } = await client.query<ServerFacts>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
        pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding, pg_backend_pid() as pid`);
    const [facts] = rows;
    if (!facts) return;
    if (facts.version_number < oldestServer)
      throw refusal(`${address} is PostgreSQL ${facts.version}, and Slipway needs 14 or newer: upgrade the server`);
    if (facts.standby) throw refusal(`PostgreSQL at ${address} is a standby, which only reads: name the primary`);
    if (facts.encoding !== 'UTF8')
      throw refusal(
        `the database ${JSON.stringify(database)} at ${address} has the encoding ${facts.encoding}: create it anew with encoding UTF8`,
      );
    if (isBehindPooler(client, facts.pid) && (await sharesSessions(url, client)))
      throw refusal(
        `the pooler at ${address} gives the sessions of PostgreSQL to another client after each transaction, ` +
          `and Slipway keeps prepared statements, settings, locks and notifications in them: set pool_mode = ` +
          `session for this database there, or name PostgreSQL itself`,
      );
  } catch (error) {
    throw startErrorOf(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks that a URL names a standby of the server behind another one, for reads. `problem` is a line for the operator;
 * `away`: the standby gave no answer, so that it may be one all the same.
 */
export async function checkReplica(url: string, primary: string): Promise<{ problem: string | null; away: boolean }> {
  const clients = [newClient(url), newClient(primary)] as const;
  const [replica] = clients;
  const { address } = databaseTarget(url);
  try {
    await replica.connect();
    const { rows } = await replica.query<{ standby: boolean; pid: number }>(
      'select pg_is_in_recovery() as standby, pg_backend_pid() as pid',
    );
    if (!rows[0]?.standby)
      return asReplica(
        `PostgreSQL at ${address} is no standby: name a streaming replica of the server of DATABASE_URL`,
      );
    if (isBehindPooler(replica, rows[0].pid) && (await sharesSessions(url, replica)))
      return asReplica(`the pooler at ${address} shares sessions: set pool_mode = session, or name the standby itself`);
    await clients[1].connect();
    const [own, other] = await Promise.all(clients.map((client) => client.query<{ id: string }>(readServerId)));
    if (own?.rows[0]?.id !== other?.rows[0]?.id)
      return asReplica(`PostgreSQL at ${address} is a standby of another database than that of DATABASE_URL`);
    return { problem: null, away: false };
  } catch (error) {
    const explained = startErrorOf(error, url);
    if (!(explained instanceof DatabaseStartError)) throw error;
    return { problem: explained.message.replace('DATABASE_URL', 'DATABASE_READ_URL'), away: !isRefusal(error) };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const asReplica = (reason: string) => ({ problem: `DATABASE_READ_URL: ${reason}`, away: false });

/** Whether the server has answered, with a refusal that stays until somebody changes something. */
const isRefusal = (error: unknown) => /^(?:28|3D|42)/.test(codeOf(error));

/** The cluster of databases, the same on its standbys, and the database in it. */
const readServerId = `select (select system_identifier from pg_control_system()) || ' ' ||
  (select oid from pg_database where datname = current_database()) as id`;

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: 'slipway-check',
  });
  // The caller that waits for the connection learns of its loss by the statement under way.
  client.on('error', () => undefined);
  return client;
}

const refusal = (reason: string) => new DatabaseStartError(`DATABASE_URL: ${reason}`);

/**
 * Whether something between speaks for the server: PostgreSQL names its process when it accepts a connection, so that
 * statements can be canceled; a pooler names a number of its own.
 */
function isBehindPooler(client: pg.Client, pid: number): boolean {
  return (client as unknown as { processID: number | null }).processID !== pid;
}

/**
 * Statements by which a pooler shows what it does; each client asks twice in a row, so that one with two sessions in
 * turn does too.
 */
const rounds = 4;

/**
 * Whether a pooler lends one session to several clients, or several to one. One that keeps sessions gives each client
 * the same one for good, and its own. If it has no session for a second client, nothing is known, and false is
 * returned.
 */
async function sharesSessions(url: string, first: pg.Client): Promise<boolean> {
  const second = newClient(url);
  const owners = new Map<number, pg.Client>();
  try {
    await second.connect();
    for (let round = 0; round < rounds; round += 1)
      for (const client of [first, first, second, second]) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const pid = rows[0]?.pid ?? 0;
        const hasOther = [...owners].some(([other, owner]) => owner === client && other !== pid);
        if (hasOther || (owners.get(pid) ?? client) !== client) return true;
        owners.set(pid, client);
      }
    return false;
  } catch {
    return false;
  } finally {
    await second.end().catch(() => undefined);
  }
}
