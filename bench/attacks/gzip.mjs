// Bodies of a few kB that become 25 MiB: from a stranger, and from whoever knows a webhook's address.
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

const mebibytes = 25 * 1024 * 1024;
const bomb = gzipSync(Buffer.from(`[${'0,'.repeat(mebibytes / 2 - 2)}0]`));

/** Sends the bomb to a path again and again; a connection that is cut after the reply is no failure. */
const attackAt =
  (path) =>
  async ({ url, tally }, signal) => {
    const once = () =>
      new Promise((resolve) => {
        const headers = {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': bomb.length,
          'x-github-event': 'push',
        };
        request(url + path, { method: 'POST', agent: false, headers }, (reply) =>
          reply.resume().on('end', () => resolve(reply.statusCode)),
        )
          .on('error', () => resolve(0))
          .end(bomb);
      });
    const again = async () => {
      while (!signal.aborted) tally(await once());
    };
    await Promise.all(Array.from({ length: 4 }, again));
  };

export const attacks = [
  { name: 'gzip-of-stranger', attack: attackAt('/webhooks/deliver/nobody-has-this-token') },
  { name: 'gzip-at-known-webhook', attack: attackAt('/webhooks/deliver/bench-webhook') },
];
