import { notFound } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { buildOfCaller } from '../../../resources/builds/meta-data/build-of-caller.js';
import { oneKey, valueOf } from '../../../resources/builds/meta-data/value-of.js';

/**
 * POST data/get: returns a meta-data value of the build; throws `not_found` for a key that is not set, which clients
 * depend on.
 */
export const getMetaData = defineOperation({
  name: 'meta-data.get',
  summary: 'Returns a value of the meta-data of a build.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: oneKey,
  subject: (context, { of }) => buildOfCaller(context, of),
  run: async (context, { key }, { job }): Promise<{ key: string; value: string }> => {
    const value = await valueOf(context, job.buildId, key);
    if (value === null) throw notFound(`No value is set for the key "${key}"`);
    return { key, value };
  },
});
