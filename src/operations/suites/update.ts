import { z } from 'zod';
import type { Patch } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { suiteBranch, suiteFields, suiteName } from './fields.js';
import { findSuite, suiteAddress, type SuiteSubject } from './find-suite.js';
import { recordSuite } from './record.js';
import { requireEditable } from './require-editable.js';
import type { ShownSuite } from './shown-suite.js';
import { shownToken } from './token.js';

const columns = ['name', 'defaultBranch', 'applicationName', 'color', 'emoji'] as const;

/** Changes what is given of a suite (rest-facts 3.8); its slug, which collectors' links hold, stays. Null clears what may be empty. */
export const updateSuite = defineOperation({
  name: 'suite.update',
  summary: 'Updates a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress, name: suiteName.optional(), defaultBranch: suiteBranch.optional(), ...suiteFields }),
  subject: (context, { suite }) => findSuite(context, suite, { lock: true }),
  run: async (context, given, subject: SuiteSubject): Promise<ShownSuite> => {
    requireEditable(subject);
    const { organization, suite: before } = subject;
    const changed = columns.filter((column) => given[column] !== undefined && given[column] !== before[column]);
    const patch = Object.fromEntries(changed.map((column) => [column, given[column]])) as Patch<'suites'>;
    const suite = changed.length === 0 ? before : await context.db.updateTable('suites').set(patch).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    if (changed.length > 0) recordSuite(context, suite, { type: 'suite.update', data: { changed } });
    return { organization, suite, apiToken: given.showApiToken ? shownToken(context, { suite, editable: true }) : null };
  },
});
