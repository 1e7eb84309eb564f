import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** A server says something every second or so, but for the while in which it reads a large table. */
const silenceMs = 10 * 60_000;

/**
 * Sends a request to the server that answers on a socket of the operator; rejects with a sentence where it answers with
 * anything but 200.
 */
export async function askOperatorSocket(
  socketPath: string,
  method: string,
  path: string,
  body?: string,
): Promise<IncomingMessage> {
  const asking = request({ socketPath, method, path, timeout: silenceMs });
  asking.once('timeout', () => asking.destroy(new Error('the running server does not answer')));
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return response;
  response.resume();
  throw new Error(
    response.statusCode === 409
      ? 'the running server makes a backup for another command: wait until that has ended'
      : `the running server answered ${response.statusCode}`,
  );
}
