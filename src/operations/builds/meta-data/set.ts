import { defineOperation } from '../../../core/operation.js';
import { buildOfCaller, metaDataOwner } from '../../../resources/builds/meta-data/build-of-caller.js';
import { metaDataEntry, setMetaData } from '../../../resources/builds/meta-data/write.js';

/** POST data/set: sets one meta-data value of a build, replacing an existing one. */
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
