import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { isId } from '../../../core/address.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { orMissing, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { mutablePrefix, mutableTagsProblem } from '../../../domain/suites/results/tags.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';

/** Tags of so many executions are a few MiB at most. */
const rowsOfStatement = 1_000;

const tags = z
  .record(z.string(), text(limits.testTagValueLength), { error: orMissing('must be an object of texts') })
  .superRefine((value, context) => {
    const message = mutableTagsProblem(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** A suite, and how many of its executions were tagged. */
export interface TaggedExecutions extends SuiteSubject {
  tagged: number;
}

interface TaggedExecution {
  id: string;
  tags: Record<string, string>;
}

/**
 * Replaces the mutable tags of executions, those whose keys begin with `mut.`, with other ones; what the upload said
 * stays. All executions are tagged or none: one that the suite has not is refused.
 */
export const updateExecutionTags = defineOperation({
  name: 'execution.update-tags',
  summary: 'Replaces the mutable tags of executions.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    executions: z
      .array(z.object({ id: z.string({ error: orMissing('must be a string') }).refine(isId, 'must be an id'), tags }), {
        error: orMissing('must be a list'),
      })
      .min(1, 'must not be empty')
      .max(limits.taggedExecutions, `has more than ${limits.taggedExecutions} values`),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, { executions }, subject: SuiteSubject): Promise<TaggedExecutions> => {
    const places = new Map<string, number>();
    for (const [place, { id }] of executions.entries()) {
      if (places.has(id.toLowerCase())) throw invalidField(`executions.${place}.id`, 'was named before');
      places.set(id.toLowerCase(), place);
    }
    // In one order everywhere, so that two requests at once do not wait for each other in a circle.
    const sorted = executions
      .map((execution) => ({ ...execution, id: execution.id.toLowerCase() }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    for (let start = 0; start < sorted.length; start += rowsOfStatement) {
      const some = sorted.slice(start, start + rowsOfStatement);
      const unknown = await lock(context, subject, some);
      if (unknown !== null)
        throw invalidField(`executions.${places.get(unknown)}.id`, 'is not an execution of the suite');
      await replace(context, some);
    }
    recordSuite(context, subject.suite, { type: 'suite.executions.tag', data: { executions: executions.length } });
    return { ...subject, tagged: executions.length };
  },
});

/** Locks executions of a suite; returns the id of the first that it has not, or null. */
async function lock(
  { db }: Context,
  { suite }: SuiteSubject,
  executions: readonly TaggedExecution[],
): Promise<string | null> {
  const ids = executions.map(({ id }) => id);
  const rows = await db
    .selectFrom('suite_executions')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('suiteId', '=', suite.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const ownIds = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !ownIds.has(id)) ?? null;
}

async function replace({ db }: Context, executions: readonly TaggedExecution[]): Promise<void> {
  await sql`update suite_executions e set tags = v.tags || coalesce(
      (select jsonb_object_agg(key, value) from jsonb_each(e.tags) where not starts_with(key, ${mutablePrefix})), '{}')
    from jsonb_to_recordset(${JSON.stringify(executions)}::jsonb) as v(id uuid, tags jsonb)
    where e.id = v.id`.execute(db);
}
