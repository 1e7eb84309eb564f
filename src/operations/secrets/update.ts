import { z } from 'zod';
import { wrongState } from '../../domain/problem.js';
import { recordCluster } from '../clusters/record.js';
import { defineOperation } from '../operation.js';
import { secretFields } from './fields.js';
import { findSecret, secretInput, type SecretSubject } from './find-secret.js';
import { secretColumns } from './secret.js';

/** Changes the description and the policy of a secret; its key stays, its value has a request of its own (rest-facts 3.6). */
export const updateSecret = defineOperation({
  name: 'secret.update',
  summary: 'Updates the description and the policy of a secret.',
  kind: 'command',
  scope: 'write_secrets',
  access: 'maintain',
  refusal: 'sentence',
  input: secretInput.extend({ ...secretFields, key: z.unknown().optional(), value: z.unknown().optional() }),
  subject: (context, input) => findSecret(context, input, { lock: true }),
  run: async (context, given, subject: SecretSubject): Promise<SecretSubject> => {
    if (given.key != null) throw wrongState('The key parameter cannot be updated.');
    if (given.value != null) throw wrongState('The value parameter cannot be updated on this endpoint.');
    const { secret: before } = subject;
    const secret = await context.db
      .updateTable('cluster_secrets')
      .set({
        description: given.description === undefined ? before.description : given.description,
        policy: given.policy === undefined ? before.policy : given.policy || null,
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
