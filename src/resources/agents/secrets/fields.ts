import { byteLength, limits } from '../../../domain/limits/limits.js';
import { secretKeyProblem } from '../../../domain/agents/secret-key.js';
import { readSecretPolicy } from '../../../domain/agents/secret-policy.js';
import { filledText, text } from '../../../domain/input-text.js';

/** The key of a secret: an environment variable name with the restrictions of `secretKeyProblem`. */
export const secretKey = text(limits.filterLength).superRefine((value, context) => {
  const message = secretKeyProblem(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** Value of a secret: less than 8 KB, not blank. No problem repeats any of it. */
export const secretValue = filledText(limits.secretValueBytes).refine(
  (value) => byteLength(value) <= limits.secretValueBytes,
  `must be at most ${limits.secretValueBytes} bytes`,
);

export const secretFields = {
  description: text(limits.descriptionLength).nullish(),
  policy: text(limits.secretPolicyBytes)
    .superRefine((value, context) => {
      const read = readSecretPolicy(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.message });
    })
    .nullish(),
};
