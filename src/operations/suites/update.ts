import { z } from 'zod';
import type { Patch } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import { suiteBranch, suiteFields, suiteName } from '../../resources/suites/fields.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../core/find-suite.js';
import { recordSuite } from '../../resources/suites/record.js';
import { requireEditable } from '../../resources/suites/require-editable.js';
import type { ShownSuite } from '../../resources/suites/shown-suite.js';
import { shownToken } from '../../resources/suites/token.js';

const columns = ['name', 'defaultBranch', 'applicationName', 'color', 'emoji'] as const;

/**
 * Updates the fields present in the request; null clears optional ones. The slug stays, because collectors' links
 * contain it.
 */
export const updateSuite = defineOperation({
  name: 'suite.update',
  summary: 'Updates a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    name: suiteName.optional(),
    defaultBranch: suiteBranch.optional(),
    ...suiteFields,
  }),
  subject: (context, { suite }) => findSuite(context, suite, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, request, subject: SuiteSubject): Promise<ShownSuite> => {
    const { organization, suite: before } = subject;
    const changed = columns.filter((column) => request[column] !== undefined && request[column] !== before[column]);
    const patch = Object.fromEntries(changed.map((column) => [column, request[column]])) as Patch<'suites'>;
    const suite =
      changed.length === 0
        ? before
        : await context.db
            .updateTable('suites')
            .set(patch)
            .where('id', '=', before.id)
            .returningAll()
            .executeTakeFirstOrThrow();
    if (changed.length > 0) recordSuite(context, suite, { type: 'suite.update', data: { changed } });
    return {
      organization,
      suite,
      apiToken: request.showApiToken ? shownToken(context, { suite, editable: true }) : null,
    };
  },
});
