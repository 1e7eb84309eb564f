import { type RawBuilder, sql } from 'kysely';
import { idIn } from '../database/id-in.js';
import { setVersion, versionExpression } from '../database/row-version.js';
import type { JobState, JobType } from '../domain/builds/job-state.js';

/** The facts of a job that decide whether and how a build shows it, with the versions of its row and of its step's. */
export interface JobOutline {
  id: string;
  type: JobType;
  state: JobState;
  passed: boolean;
  version: string;
  stepId: string;
  stepVersion: string;
}

/**
 * A statement that reads the jobs of builds in pipeline order as one text: a line for each build, its id followed by
 * its jobs. A row of columns for each of a thousand jobs would cost many times as much; no column here holds a space or
 * a semicolon.
 */
export function jobOutlineLines(buildIds: readonly string[], includeRetried: boolean): RawBuilder<string | null> {
  const facts = [
    sql`j.id`,
    sql`j.type`,
    sql`j.state`,
    sql`j.passed::text`,
    versionExpression('j'),
    sql`j.step_id`,
    versionExpression('s'),
  ];
  const latest = includeRetried ? sql`` : sql` and not j.retried`;
  return sql`(select string_agg(l.line, E'\\n') from (select j.build_id::text || string_agg(concat_ws(' ', ${sql.join(facts)}), ';' order by j.position, j.id) as line from jobs as j join steps as s on s.id = j.step_id where ${idIn('j.build_id', buildIds)}${latest} group by j.build_id) as l)`;
}

/** Reads the jobs of a build out of its line, without the build's id. */
export function readJobOutlines(line: string): JobOutline[] {
  const outlines = line === '' ? [] : line.split(';').map(outlineOf);
  setVersion(outlines, line);
  return outlines;
}

function outlineOf(text: string): JobOutline {
  const [id = '', type, state, passed, version = '', stepId = '', stepVersion = ''] = text.split(' ');
  // The columns hold nothing else.
  const [jobType, jobState] = [type as JobType, state as JobState];
  return { id, type: jobType, state: jobState, passed: passed === 'true', version, stepId, stepVersion };
}
