/** Why the database could not run a statement. */
export type Unavailability =
  | 'lost' // the connection broke: the server ended it, went away or restarts
  | 'unreachable' // no connection could be opened
  | 'waited' // no connection became free in time
  | 'overloaded' // the server refused for want of resources, or a statement or lock took too long
  | 'full' // the disk of the database has no space left
  | 'ended' // the embedded database ended, and its process is about to
  | 'unconfirmed'; // the answer to COMMIT is lost and the database could not be asked what became of it

const messages: Record<Unavailability, string> = {
  lost: 'The database is temporarily unavailable. Please try again.',
  unreachable: 'The database is temporarily unavailable. Please try again.',
  waited: 'The server is overloaded. Please try again.',
  overloaded: 'The server is overloaded. Please try again.',
  full: 'The disk of the database is full. Please try again once there is space.',
  ended: 'The database is temporarily unavailable. Please try again.',
  unconfirmed:
    'The database did not confirm the change, so it may or may not have been made. Look before repeating the ' +
    'request, or repeat it with the same Idempotency-Key.',
};

/**
 * Thrown by every query and transaction that failed for want of the database, never because the statement itself is
 * wrong. Surfaces answer it with 503 and `Retry-After` (`problem-reply.ts`); `message` may be shown to callers, `cause`
 * is for logs.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(
    readonly reason: Unavailability,
    cause?: unknown,
  ) {
    super(messages[reason], { cause });
  }
}

/** Connection errors of the operating system and the resolver. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Messages of the driver's errors without a code. */
const driverMessages =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout (?:exceeded|expired)|Query read timeout|Cannot use a pool after calling end)/;

/**
 * SQLSTATEs after which the same connection is of no use: it is ended by the server, or leads to a server that only
 * reads.
 */
const fatalStates = /^(?:08|57P0[1-5]|25P0[34]|25006)/;

/** Out of disk. */
const fullState = '53100';

/** Out of connections or memory; a statement or a lock that took too long; a fault of the server's disks. */
const overloadStates = /^(?:53|57014|55P03|58)/;

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/**
 * The only place that decides whether a driver error means that the database is unavailable; null if it is an answer of
 * the database (a constraint, a deadlock, invalid SQL). Pass only errors of the driver: errors of other sockets have
 * the same codes.
 */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (error instanceof DatabaseUnavailableError) return error.reason;
  const code = codeOf(error);
  if (fatalStates.test(code)) return 'lost';
  if (code === fullState) return 'full';
  if (overloadStates.test(code)) return 'overloaded';
  if (networkCodes.has(code)) return 'lost';
  if (error instanceof AggregateError)
    return (error.errors as unknown[]).some((inner) => networkCodes.has(codeOf(inner))) ? 'lost' : null;
  return error instanceof Error && driverMessages.test(error.message) ? 'lost' : null;
}

/** Whether the connection that gave this error must not be used again. */
export function breaksConnection(error: unknown): boolean {
  return unavailabilityOf(error) === 'lost' || severityOf(error) === 'FATAL' || severityOf(error) === 'PANIC';
}

/** Whether no answer came in time: the connection may be dead without a word, and those opened before it as well. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * Whether the server refused the statement and the session continues: a COMMIT with this answer was not carried out.
 */
export function isRefusedByServer(error: unknown): boolean {
  return severityOf(error) === 'ERROR' && !fatalStates.test(codeOf(error));
}

/** Error that callers of the database see for an error of the driver. */
export function faultOf(error: unknown): unknown {
  const reason = unavailabilityOf(error);
  return reason === null || error instanceof DatabaseUnavailableError
    ? error
    : new DatabaseUnavailableError(reason, error);
}

function severityOf(error: unknown): string | null {
  return error instanceof Error && 'severity' in error ? String(error.severity) : null;
}
