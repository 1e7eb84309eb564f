import { z } from 'zod';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PathStretch } from '../../domain/builds/critical-path/critical-path.js';
import type { BuildRow } from '../../entities/database.js';
import { loadCriticalPath } from '../../resources/builds/critical-path/load-critical-path.js';

/** A build with the stretches of its time, from its creation on. */
export interface BuildPath {
  build: BuildRow;
  path: PathStretch[];
}

/** GET critical_path: tells why a build took as long as it did, or takes. */
export const getCriticalPath = defineOperation({
  name: 'build.critical-path',
  summary: 'Tells why a build took as long as it did: the jobs and waits that made it no shorter.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, _input, { build }): Promise<BuildPath> => ({
    build,
    path: await loadCriticalPath(context, build),
  }),
});
