import type { Installation } from '../server/installation.js';
import type { Logger } from '../services.js';
import { readConfiguration } from './read-configuration.js';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens and migrates the configured database, runs the work, and closes the database even if the work fails. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = await readConfiguration();
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`);
  const { openInstallation } = await import('../server/installation.js');
  const installation = await openInstallation(config, silent);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
