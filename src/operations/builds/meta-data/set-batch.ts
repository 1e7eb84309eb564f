import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { defineOperation } from '../../../core/operation.js';
import { buildOfCaller, metaDataOwner } from '../../../resources/builds/meta-data/build-of-caller.js';
import { metaDataEntry, setMetaData } from '../../../resources/builds/meta-data/write.js';

/** POST data/set-batch: sets several meta-data values of a build, all or none. */
export const setMetaDataBatch = defineOperation({
  name: 'meta-data.set-batch',
  summary: 'Sets several values of the meta-data of a build.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: metaDataOwner.extend({ items: z.array(metaDataEntry).max(limits.metaDataEntries) }),
  subject: (context, { of }) => buildOfCaller(context, of),
  run: (context, { items }, { job }) => setMetaData(context, job, items),
});
