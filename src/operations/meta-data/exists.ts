import { defineOperation } from '../operation.js';
import { buildOfCaller } from './build-of-caller.js';
import { oneKey, valueOf } from './value-of.js';

/** POST data/exists. */
export const metaDataExists = defineOperation({
  name: 'meta-data.exists',
  summary: 'Says whether a key of the meta-data of a build is set.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: oneKey,
  subject: (context, { of }) => buildOfCaller(context, of),
  run: async (context, { key }, { job }): Promise<{ exists: boolean }> => ({ exists: (await valueOf(context, job.buildId, key)) !== null }),
});
