import { Problem } from '../domain/problem.js';
import type { Logger } from '../services/services.js';

/** Origins of uncaught errors; label of `slipway_uncaught_errors_total`. */
export type UncaughtOrigin = 'connection' | 'promise' | 'other';

/** Uncaught errors of this process by origin. */
export const uncaughtErrors: Record<UncaughtOrigin, number> = { connection: 0, promise: 0, other: 0 };

/** Codes of errors that sockets, streams, parsers and decompressors emit. */
const connectionCodes =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTCONN|EHOSTUNREACH|ENETUNREACH|ERR_STREAM|ERR_HTTP|ERR_SOCKET|ERR_INVALID_URL|HPE_|Z_|WS_ERR)/;
/** Node's own frames under an event handler of a connection. */
const connectionFrames =
  /\((?:node:_http_|node:net:|node:zlib:|node:internal\/streams\/|node:internal\/stream_base)|[\\/]node_modules[\\/](?:ws|@fastify[\\/]busboy)[\\/]/;

/** Whether an error came from a connection, judged by its code or by the event at the root of its stack. */
export function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && connectionCodes.test(error.code)) return true;
  return connectionFrames.test(error.stack ?? '');
}

/**
 * Handlers of uncaught errors (docs/decisions/0006-last-resort.md): each error is logged and counted. The process
 * continues after an error of a connection and after an unhandled rejection; after any other error it calls `stop`
 * once, for an orderly end with a failure. A log that fails does not
 * matter: its error would come here too.
 * @returns the function that removes the handlers
 */
export function catchUncaught(log: Logger, stop: () => void): () => void {
  let stopping = false;
  const report = (error: unknown, origin: UncaughtOrigin) => {
    uncaughtErrors[origin] += 1;
    try {
      log.error({ err: error, origin }, 'uncaught error');
    } catch {
      // It is counted. Thrown here, the error of the log would end the process at once.
    }
  };
  const uncaught = (error: unknown) => {
    const origin = isOfConnection(error) ? 'connection' : 'other';
    report(error, origin);
    if (origin === 'connection' || stopping) return;
    stopping = true;
    stop();
  };
  const rejected = (error: unknown) => {
    // A request that ends rejects all its pending work at once, including promises that its code has not awaited yet.
    if (error instanceof Problem && error.code === 'timed_out') return;
    report(error, 'promise');
  };
  process.on('uncaughtException', uncaught).on('unhandledRejection', rejected);
  return () => void process.off('uncaughtException', uncaught).off('unhandledRejection', rejected);
}
