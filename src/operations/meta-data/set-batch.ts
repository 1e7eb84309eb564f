import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { defineOperation } from '../operation.js';
import { buildOfCaller, metaDataOwner } from './build-of-caller.js';
import { metaDataEntry, setMetaData } from './write.js';

/** POST data/set-batch (agent-protocol 7.1): several values of a build's meta-data at once, all or none. */
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
