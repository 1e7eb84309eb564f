import { type RawBuilder, sql } from 'kysely';

/** `hasFailed` of the domain as a condition on the job that a statement has under this name. */
export const jobHasFailed = (job: string): RawBuilder<boolean> => {
  const [type, state, passed] = ['type', 'state', 'passed'].map((column) => sql.ref(`${job}.${column}`));
  return sql<boolean>`(${type} = 'command' and (${state} = 'timed_out' or ${state} = 'finished' and not ${passed}))`;
};
