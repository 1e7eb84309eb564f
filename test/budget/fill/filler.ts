import type { Stage } from '../support/stage.js';

/** Ids and names of what the fillers made, by the names of path parameters; several where parameters share a name. */
export type Known = Record<string, string>;

/** Fills one kind of thing through the public surfaces, to its limit or to where the server refuses more. */
export interface Filler {
  kind: string;
  fill(stage: Stage, known: Known): Promise<void>;
}

/** Calls of which four run at a time, as four callers make them. */
export async function inTurns(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) {
      next += 1;
      await call(next - 1);
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
}

/**
 * Sends what is one beyond a limit, which must be refused with a reason, and then what is at the limit, which must be
 * taken.
 */
export async function atLimit(
  what: string,
  limit: number,
  send: (size: number) => ReturnType<Stage['rest']>,
): Promise<{ id: string; number: number }> {
  const beyond = await send(limit + 1);
  const { message = '' } = JSON.parse(beyond.text || '{}') as { message?: string };
  if (![413, 422].includes(beyond.status) || message === '')
    throw new Error(`${what} beyond ${limit} was answered ${beyond.status} ${beyond.text.slice(0, 300)}`);
  const reply = await send(limit);
  if (reply.status >= 300)
    throw new Error(`${what} at ${limit} was answered ${reply.status} ${reply.text.slice(0, 300)}`);
  return JSON.parse(reply.text);
}
