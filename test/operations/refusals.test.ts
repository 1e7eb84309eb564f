import fc from 'fast-check';
import { describeIssue } from '../../src/core/input-error.js';
import { operations } from '../support/operations.js';

/** Sentences of the library that checks inputs, which its callers must not read. */
const words = /Invalid|expected|Too (?:big|small)|Unrecognized|must match pattern|>=|<=|received/;

test('a refusal of any input of any operation is in the words of the product', () => {
  const values = fc.oneof(fc.anything({ maxDepth: 2 }), fc.constantFrom('', 'x', -1, 1.5, 2 ** 53, [], {}, null, true));
  for (const { name, input } of operations) {
    const shape = (input as { shape?: object }).shape;
    const requests = fc.record(Object.fromEntries(Object.keys(shape ?? {}).map((key) => [key, values])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(requests, (request) => {
        const result = input.safeParse(request, { error: describeIssue });
        // The names after this are the caller's own.
        const sentences = result.success
          ? []
          : result.error.issues.map(({ message }) => message.replace(/(?<=that nobody reads: ).*/s, ''));
        expect([name, sentences.filter((sentence) => words.test(sentence))]).toEqual([name, []]);
      }),
      { numRuns: 30 },
    );
  }
});
