import { limits } from '../../../domain/limits/limits.js';
import { defineOperation } from '../../../core/operation.js';
import { buildOfCaller, metaDataOwner } from '../../../resources/builds/meta-data/build-of-caller.js';

/** POST data/keys: lists all meta-data keys of the build, sorted. */
export const listMetaDataKeys = defineOperation({
  name: 'meta-data.keys',
  summary: 'Lists the keys of the meta-data of a build.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: metaDataOwner,
  subject: (context, { of }) => buildOfCaller(context, of),
  run: async (context, _input, { job }): Promise<string[]> => {
    const rows = await context.db
      .selectFrom('build_meta_data')
      .select('key')
      .where('buildId', '=', job.buildId)
      .orderBy('key')
      .limit(limits.metaDataConnectionMax)
      .execute();
    return rows.map((row) => row.key);
  },
});
