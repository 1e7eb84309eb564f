import { defineOperation } from '../operation.js';
import { buildOfCaller, metaDataOwner } from './build-of-caller.js';
import { metaDataEntry, setMetaData } from './write.js';

/** POST data/set: one value; another one for the same key replaces it. */
export const setMetaDataValue = defineOperation({
  name: 'meta-data.set',
  summary: 'Sets a value of the meta-data of a build.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: metaDataOwner.extend(metaDataEntry.shape),
  subject: (context, { of }) => buildOfCaller(context, of),
  run: (context, { key, value }, { job }) => setMetaData(context, job, [{ key, value }]),
});
