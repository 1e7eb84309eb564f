import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { findSecret, secretInput, type SecretSubject } from '../../../resources/agents/secrets/find-secret.js';

/** Deletes a secret with its value. */
export const deleteSecret = defineOperation({
  name: 'secret.delete',
  summary: 'Deletes a secret of a cluster.',
  kind: 'command',
  scope: 'write_secrets',
  access: 'maintain',
  refusal: 'sentence',
  input: secretInput,
  subject: (context, input) => findSecret(context, input, { lock: true }),
  run: async (context, _input, subject: SecretSubject): Promise<SecretSubject> => {
    await context.db.deleteFrom('cluster_secrets').where('id', '=', subject.secret.id).execute();
    recordCluster(context, subject.cluster, 'secret.delete', { secret: subject.secret.id, key: subject.secret.key });
    return subject;
  },
});
