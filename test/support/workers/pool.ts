import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openWorkers, type Workers, type WorkerOptions } from '../../../src/workers/pool.js';
import { compiledModules } from '../compiled-modules.js';

/**
 * A pool whose threads run the sources as they are now, compiled: a compiler inside a thread that is terminated would
 * take the process with it. The machine may be busy, so that time limits are far off unless a test is about them.
 */
export function testWorkers(options: WorkerOptions = {}): Workers {
  return openWorkers({
    entry: pathToFileURL(join(compiledModules(), 'workers', 'entry.js')),
    limitMs: 60_000,
    ...options,
  });
}

/** The worker pool shared by all worlds of a test process. Its threads do not keep the process alive. */
export const sharedWorkers = testWorkers({ threads: 1, idleMs: 60_000 });
