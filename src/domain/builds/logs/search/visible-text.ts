import { EscapeStripper } from '../plain-text.js';

/** The times of the agent, one a line: most logs have no other escape sequences. */
// eslint-disable-next-line no-control-regex -- the agent's marks are made of control characters
const times = /\u001b_bk;t=\d+\u0007/g;

/** The text of a log's bytes without escape sequences; each line depends on nothing but its own bytes. */
export function visibleText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return new EscapeStripper().push(text.replace(times, ''));
}
