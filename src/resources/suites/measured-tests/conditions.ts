import { type RawBuilder, sql } from 'kysely';
import { type Match, resultTag, type TagFilter } from '../../../domain/suites/test-filters.js';

/** The condition that a value of an execution matches; a value that is absent matches what excludes others. */
export function matches(value: RawBuilder<unknown>, { text, prefix, excluded }: Match): RawBuilder<boolean> {
  const same = prefix ? sql<boolean>`starts_with(${value}, ${text})` : sql<boolean>`${value} = ${text}`;
  return excluded ? sql<boolean>`(${same}) is not true` : sql<boolean>`(${same})`;
}

/** Tags that no collector needs to send, because the run or the execution says the same; `e` and `r` are their rows. */
const known: Readonly<Record<string, RawBuilder<string | null>>> = {
  [resultTag]: sql`e.result`,
  'build.id': sql`r.build_id::text`,
  'scm.branch': sql`coalesce(e.tags ->> 'scm.branch', r.branch)`,
  'scm.commit_sha': sql`coalesce(e.tags ->> 'scm.commit_sha', r.commit_sha)`,
  'code.file.path': sql`coalesce(e.tags ->> 'code.file.path', e.file_name)`,
};

/** The condition that an execution `e` of a run `r` has a tag that matches. */
export function tagMatches({ key, match }: TagFilter): RawBuilder<boolean> {
  const value = Object.hasOwn(known, key) ? known[key] : undefined;
  return matches(value ?? sql`e.tags ->> ${key}::text`, match);
}
