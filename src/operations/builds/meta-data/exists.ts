import { defineOperation } from '../../../core/operation.js';
import { buildOfCaller } from '../../../resources/builds/meta-data/build-of-caller.js';
import { oneKey, valueOf } from '../../../resources/builds/meta-data/value-of.js';

/** POST data/exists: whether a meta-data key of the build is set. */
export const metaDataExists = defineOperation({
  name: 'meta-data.exists',
  summary: 'Returns whether a meta-data key of a build is set.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: oneKey,
  subject: (context, { of }) => buildOfCaller(context, of),
  run: async (context, { key }, { job }): Promise<{ exists: boolean }> => ({
    exists: (await valueOf(context, job.buildId, key)) !== null,
  }),
});
