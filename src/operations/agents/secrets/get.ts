import { defineOperation } from '../../../core/operation.js';
import { findSecret, secretInput, type SecretSubject } from '../../../resources/agents/secrets/find-secret.js';

/** Returns one secret of a cluster, without its value. */
export const getSecret = defineOperation({
  name: 'secret.get',
  summary: 'Returns one secret of a cluster, without its value.',
  kind: 'query',
  scope: 'read_secrets_details',
  access: 'maintain',
  refusal: 'sentence',
  input: secretInput,
  subject: (context, input) => findSecret(context, input),
  run: async (_context, _input, subject: SecretSubject) => subject,
});
