import type { Context } from '../../../request/context.js';
import { extractKinds } from '../../../domain/builds/failures/extract.js';
import { excerptKinds } from '../../../domain/builds/failures/failure-lines.js';
import type { BuildOfFailure, Change, JobFailure } from '../../../domain/builds/failures/job-failure.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { JobRow } from '../../../entities/database.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  nullable,
  number,
  object,
  type Schema,
  text,
  time,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

const buildSchema = object({
  build_number: described(integer, 'Number of the build.'),
  commit: described(text, 'Commit of the build.'),
  created_at: described(time, 'Time the build was created.'),
});

const changeOf = (value: Schema) =>
  object({
    from: described(value, 'Value in the last passed build.'),
    to: described(value, 'Value in this build.'),
  });

const changedSchema = object({
  commits: described(arrayOf(text), 'Commits of the builds since the last passed one, newest first.'),
  agent: described(nullable(changeOf(text)), 'Names of the agents that ran the job, where it was another one.'),
  queue: described(nullable(changeOf(text)), 'Keys of the queues, where it was another one.'),
  step: described(
    nullable(arrayOf(text)),
    'Attributes of the step, as it was written, whose values differ; null where none does.',
  ),
  duration: described(nullable(changeOf(number)), 'Seconds for which the jobs ran.'),
});

const excerptSchema = object({
  first_line: described(integer, 'Number of the first line in the log, from 1.'),
  last_line: described(integer, 'Number of the last line.'),
  text: described(text, 'The lines, without escape sequences.'),
  kind: described(enumOf(...excerptKinds), 'Kind of what the lines show.'),
});

const testSchema = object({
  name: described(text, 'Scope and name of the test.'),
  location: described(nullable(text), 'Place of the test in its file.'),
  message: described(nullable(text), 'Reason of the failure.'),
});

const lineSchema = object({
  line: described(integer, 'Number of the line in the log, from 1.'),
  text: described(text, 'The line without escape sequences, at most 500 characters.'),
  kind: described(
    enumOf(...extractKinds),
    '`failure_only`: no passed run of the step, of those that are known, has it; `error`: it tells of an error.',
  ),
});

interface Source {
  job: JobRow;
  failure: JobFailure;
}

export const jobFailureResource = resource<Source>({
  job_id: field(uuid, 'ID of the job.', ({ job }) => job.id),
  exit_status: field(nullable(integer), 'Exit status of the command.', ({ failure }) => failure.exitStatus),
  signal: field(nullable(text), 'Signal that ended the command.', ({ failure }) => failure.signal),
  reason: field(text, 'Reason of the failure, in a sentence.', ({ failure }) => failure.reason),
  since: field(
    nullable(buildSchema),
    'Build of the branch since which the step fails; null for callers who may not read builds.',
    ({ failure }) => presentBuild(failure.since),
  ),
  last_passed: field(
    nullable(buildSchema),
    'Newest build of the branch, before that, in which the step passed; null if none of the last 100 has.',
    ({ failure }) => presentBuild(failure.lastPassed),
  ),
  changed: field(changedSchema, 'Differences from the last passed build.', ({ failure: { changed } }) => ({
    commits: changed.commits,
    agent: presentChange(changed.agent),
    queue: presentChange(changed.queue),
    step: changed.step,
    duration: presentChange(changed.duration),
  })),
  excerpts: field(
    arrayOf(excerptSchema),
    'Parts of the log that tell of the failure, in their order, at most 8 of 30 lines; none where the log is gone.',
    ({ failure }) =>
      failure.excerpts.map(({ firstLine, lastLine, text: lines, kind }) => ({
        first_line: firstLine,
        last_line: lastLine,
        text: lines,
        kind,
      })),
  ),
  tests: field(
    arrayOf(testSchema),
    'Tests that failed in runs that the job uploaded, at most 20, of suites that the caller may read.',
    ({ failure }) => failure.tests.map(({ name, location, message }) => ({ name, location, message })),
  ),
  lines: field(
    arrayOf(lineSchema),
    'Lines of the log that no passed run of the step has, or that tell of an error, at most 20; they stay where the ' +
      'log has expired, and are none until it is merged.',
    ({ failure }) => failure.lines.map(({ line, text: content, kind }) => ({ line, text: content, kind })),
  ),
  cluster: field(
    nullable(text),
    'Hash of the failure, the same where jobs failed alike: `cluster` of a search in extracts finds them.',
    ({ failure }) => failure.cluster,
  ),
  same_failures: field(
    integer,
    'Number of other jobs of the organization that failed alike, of those that the caller may see; at most 100.',
    ({ failure }) => failure.sameFailures,
  ),
});

export const presentJobFailure = (_context: Context, source: Source): Promise<JsonObject> =>
  jobFailureResource.present(source);

function presentBuild(build: BuildOfFailure | null): JsonObject | null {
  return build && { build_number: build.number, commit: build.commit, created_at: formatTime(build.createdAt) };
}

function presentChange<Value extends string | number>(change: Change<Value> | null): JsonObject | null {
  return change && { from: change.from, to: change.to };
}
