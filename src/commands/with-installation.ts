import { readConfig } from '../config.js';
import type { Installation } from '../server/installation.js';
import type { Logger } from '../context.js';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens and migrates the database the environment names, does the work, and closes it again whatever happened. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const { openInstallation } = await import('../server/installation.js');
  const installation = await openInstallation(config, silent);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
