import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { secretFields } from '../../../resources/agents/secrets/fields.js';
import { findSecret, secretInput, type SecretSubject } from '../../../resources/agents/secrets/find-secret.js';
import { secretColumns } from '../../../resources/agents/secrets/secret.js';

/** Updates the description and the policy of a secret. Its key stays; `secret.update-value` replaces its value. */
export const updateSecret = defineOperation({
  name: 'secret.update',
  summary: 'Updates the description and the policy of a secret.',
  kind: 'command',
  scope: 'write_secrets',
  access: 'maintain',
  refusal: 'sentence',
  input: secretInput.extend({ ...secretFields, key: z.unknown().optional(), value: z.unknown().optional() }),
  subject: (context, input) => findSecret(context, input, { lock: true }),
  run: async (context, request, subject: SecretSubject): Promise<SecretSubject> => {
    if (request.key != null) throw wrongState('The key parameter cannot be updated.');
    if (request.value != null) throw wrongState('The value parameter cannot be updated on this endpoint.');
    const { secret: before } = subject;
    const secret = await context.db
      .updateTable('cluster_secrets')
      .set({
        description: request.description === undefined ? before.description : request.description,
        policy: request.policy === undefined ? before.policy : request.policy || null,
        updatedById: context.userId,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returning([...secretColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'secret.update', { secret: secret.id });
    return { ...subject, secret };
  },
});
