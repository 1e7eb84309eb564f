import type { Locator } from 'playwright-core';

/** Waits until a thing is on the screen; bounded, because a browser shows things when it can. */
export async function expect(what: Locator): Promise<void> {
  await what.waitFor({ state: 'visible', timeout: 30_000 });
}
