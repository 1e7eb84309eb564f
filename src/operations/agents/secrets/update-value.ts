import { seal } from '../../../auth/sealed.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { secretValue } from '../../../resources/agents/secrets/fields.js';
import { findSecret, secretInput, type SecretSubject } from '../../../resources/agents/secrets/find-secret.js';
import { secretColumns, secretPurpose } from '../../../resources/agents/secrets/secret.js';

/** Replaces the value of a secret; the old one is overwritten. */
export const updateSecretValue = defineOperation({
  name: 'secret.update-value',
  summary: 'Replaces the value of a secret.',
  kind: 'command',
  scope: 'write_secrets',
  access: 'maintain',
  refusal: 'sentence',
  input: secretInput.extend({ value: secretValue }),
  subject: (context, input) => findSecret(context, input, { lock: true }),
  run: async (context, { value }, subject: SecretSubject): Promise<SecretSubject> => {
    const { id } = subject.secret;
    const secret = await context.db
      .updateTable('cluster_secrets')
      .set({
        encryptedValue: seal(context.services.secretKey, secretPurpose, value, id),
        updatedById: context.userId,
        updatedAt: context.now,
      })
      .where('id', '=', id)
      .returning([...secretColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'secret.update-value', { secret: id });
    return { ...subject, secret };
  },
});
