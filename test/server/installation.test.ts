import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/server/config.js';
import { ConfigError } from '../../src/services/config-error.js';
import type { Logger } from '../../src/services/services.js';
import { openInstallation } from '../../src/server/installation.js';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('opening an installation is refused with another secret key, given or generated, and leaves nothing open', async () => {
  const directory = temporaryDirectory();
  const DATA_DIR = join(directory.path, 'data');
  const open = (env: Record<string, string> = {}) => openInstallation(readConfig({ DATA_DIR, ...env }), silent);
  await migrateDataDirectory(DATA_DIR);
  await (await open()).close();
  await (await open()).close();
  await expect(open({ SECRET_KEY: 'another key that is long enough to be one' })).rejects.toBeInstanceOf(ConfigError);
  rmSync(join(DATA_DIR, 'secret-key'));
  await expect(open()).rejects.toThrow('restore');
  directory.remove();
}, 120_000);
