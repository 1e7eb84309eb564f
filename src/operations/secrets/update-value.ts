import { seal } from '../../auth/sealed.js';
import { recordCluster } from '../clusters/record.js';
import { defineOperation } from '../operation.js';
import { secretValue } from './fields.js';
import { findSecret, secretInput, type SecretSubject } from './find-secret.js';
import { secretColumns, secretPurpose } from './secret.js';

/** Gives a secret another value; nothing is left of the old one (rest-facts 3.6). */
export const updateSecretValue = defineOperation({
  name: 'secret.update-value',
  summary: 'Gives a secret another value.',
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
      .set({ encryptedValue: seal(context.services.secretKey, secretPurpose, value, id), updatedById: context.userId, updatedAt: context.now })
      .where('id', '=', id)
      .returning([...secretColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'secret.update-value', { secret: id });
    return { ...subject, secret };
  },
});
