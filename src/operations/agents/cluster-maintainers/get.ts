import { defineOperation } from '../../../core/operation.js';
import {
  findMaintainer,
  maintainerInput,
  type MaintainerSubject,
} from '../../../resources/agents/cluster-maintainers/maintainer.js';

/** Returns one maintainer of a cluster. */
export const getMaintainer = defineOperation({
  name: 'cluster-maintainer.get',
  summary: 'Returns one maintainer of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: maintainerInput,
  subject: (context, input) => findMaintainer(context, input),
  run: async (_context, _input, subject: MaintainerSubject) => subject,
});
