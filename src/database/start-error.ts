import pg from 'pg';
import { codeOf } from './faults.js';

/**
 * The database that `DATABASE_URL` names cannot be used; the message is one line that names its host and says what to
 * change.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** Where a URL leads, as the driver reads it: with its defaults, and without a credential. */
export interface DatabaseTarget {
  /** `host:port`, or the directory of a socket. */
  address: string;
  host: string;
  user: string;
  database: string;
}

/** Throws {@link DatabaseStartError} for a URL that the driver cannot read, such as one whose password is no UTF-8. */
export function databaseTarget(url: string): DatabaseTarget {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (error) {
    const reason = error instanceof URIError ? 'its user or password is not percent-encoded UTF-8' : String(error);
    throw new DatabaseStartError(`DATABASE_URL: cannot be read: ${reason}`, { cause: error });
  }
  const { host, port, user, database } = client;
  const inUrl = host.includes(':') ? `[${host}]` : host;
  return {
    address: host.startsWith('/') ? `${host} (port ${port})` : `${inUrl}:${port}`,
    host,
    user: user ?? '',
    database: database ?? '',
  };
}

/** Says what an error means at a target, and what to change; false if it is not about the database. */
type Explanation = (target: DatabaseTarget, error: Error) => string | false;

/** By network error, and by SQLSTATE of the server's configuration. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ({ address }) =>
    `nothing listens at ${address} (ECONNREFUSED): start PostgreSQL there, or correct host and port`,
  ENOENT: ({ address, host }) =>
    host.startsWith('/') &&
    `there is no socket in ${address} (ENOENT): start PostgreSQL there, or correct the directory`,
  ENOTFOUND: ({ host }) => `no machine is called ${host} (ENOTFOUND): correct the host`,
  EAI_AGAIN: ({ host }) =>
    `the name ${host} cannot be resolved at present (EAI_AGAIN): correct the host, or the resolver`,
  ECONNRESET: ({ address }) =>
    `${address} closed the connection (ECONNRESET): is it PostgreSQL, or a proxy without one behind it?`,
  EHOSTUNREACH: ({ address }) => `${address} cannot be reached (EHOSTUNREACH): correct the host, or the network`,
  ENETUNREACH: ({ address }) => `${address} cannot be reached (ENETUNREACH): correct the host, or the network`,
  ETIMEDOUT: unanswered,
  '28P01': ({ address, user }) => `${address} refuses the password of user ${quoted(user)}: correct it`,
  '28000': ({ address }, { message }) => `${address} does not let the user in: ${message}`,
  '3D000': ({ address, database }) =>
    `there is no database ${quoted(database)} at ${address}: create it (createdb), or correct the name`,
  '3F000': ({ address, user }) =>
    `user ${quoted(user)} at ${address} may use no schema: grant all on schema public to it`,
  '42501': ({ address, user, database }, { message }) =>
    `${message}, for user ${quoted(user)} of ${quoted(database)} at ${address}: let it create tables (grant ` +
    `create, usage on schema public), or make it the owner of the database`,
  '53300': ({ address }) =>
    `${address} has no connection left: raise max_connections there, or lower DATABASE_POOL_SIZE`,
  '57P03': ({ address }, { message }) => `PostgreSQL at ${address} is not ready: ${message}`,
  '25006': ({ address }) => `PostgreSQL at ${address} only reads: name the primary, not a standby`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
};

const quoted = (name: string) => JSON.stringify(name);

function unanswered({ address }: DatabaseTarget): string {
  return `${address} does not answer: correct host and port, or let this machine through the firewall`;
}

function untrusted({ address }: DatabaseTarget, { message }: Error): string {
  return (
    `the certificate of ${address} is not trusted (${message}): name its authority (sslrootcert=FILE), or ` +
    `correct the host`
  );
}

/** Errors of the driver that have no code. */
const codeless: readonly [RegExp, Explanation][] = [
  [/timeout (?:expired|exceeded)|Query read timeout|terminated due to connection timeout/, unanswered],
  [/does not support SSL/, ({ address }) => `${address} has no TLS: turn it on there, or leave sslmode out`],
  [/password must be a string|no password/i, ({ address }) => `${address} asks for a password, and the URL has none`],
  [
    /Connection terminated|closed the connection/,
    ({ address }) => `${address} closed the connection: is it PostgreSQL?`,
  ],
];

/** The error and those behind it, the outermost first. */
function* chainOf(error: unknown): Generator<Error> {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 10; depth += 1) {
    yield inner;
    inner = inner instanceof AggregateError ? (inner.errors as unknown[])[0] : inner.cause;
  }
}

/**
 * What a failure to open or migrate a PostgreSQL database is for an operator: a {@link DatabaseStartError} if its
 * server, network or rights are the reason, else the error itself.
 */
export function startErrorOf(error: unknown, url: string): unknown {
  if (error instanceof DatabaseStartError) return error;
  const target = databaseTarget(url);
  for (const inner of chainOf(error)) {
    const explain = explanations[codeOf(inner)] ?? codeless.find(([message]) => message.test(inner.message))?.[1];
    const reason = explain?.(target, inner);
    if (reason) return new DatabaseStartError(`DATABASE_URL: ${reason}`, { cause: error });
  }
  return error;
}
