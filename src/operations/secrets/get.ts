import { defineOperation } from '../operation.js';
import { findSecret, secretInput, type SecretSubject } from './find-secret.js';

/** One secret of a cluster, without its value (rest-facts 3.6). */
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
