import { byteLength, limits } from '../../domain/limits.js';
import { secretKeyProblem } from '../../domain/secret-key.js';
import { readSecretPolicy } from '../../domain/secret-policy.js';
import { filledText, text } from '../text.js';

/** Rules of rest-facts 3.6. */
export const secretKey = text(limits.filterLength).superRefine((value, context) => {
  const message = secretKeyProblem(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** Less than 8 KB, and not blank. No refusal repeats any of it. */
export const secretValue = filledText(limits.secretValueBytes).refine((value) => byteLength(value) <= limits.secretValueBytes, `must be at most ${limits.secretValueBytes} bytes`);

export const secretFields = {
  description: text(limits.descriptionLength).nullish(),
  policy: text(limits.secretPolicyBytes)
    .superRefine((value, context) => {
      const read = readSecretPolicy(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.message });
    })
    .nullish(),
};
