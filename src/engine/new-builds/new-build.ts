import { z } from 'zod';
import type { ConditionFacts } from '../../domain/pipelines/conditions/condition.js';
import { isVariableName, variableNameProblem } from '../../domain/builds/variable-name.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import type { BuildAuthor } from '../../entities/builds/build.js';
import type { BuildRow } from '../../entities/database.js';
import { flag, gitName, isStorableJson, orMissing, text, unstorable } from '../../domain/input-text.js';

/**
 * An object of at most so many entries, which are counted before any of them is looked at: what a refusal costs is not
 * the caller's to choose.
 */
const boundedObject = (most: number, error: (issue: { input?: unknown }) => string) =>
  z
    .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error,
    })
    .refine((value) => Object.keys(value).length <= most, {
      error: `must have at most ${most} entries`,
      abort: true,
    });

const envSchema = boundedObject(limits.envEntries, orMissing('must be an object'))
  .meta({ type: 'object', additionalProperties: {} })
  .pipe(z.record(z.string(), z.json({ error: 'must be a JSON value' })))
  .superRefine((env, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const names = Object.keys(env);
    if (!names.every(isVariableName)) refuse(variableNameProblem);
    if (byteLength(JSON.stringify(env)) > limits.envBytes) refuse(`must be at most ${limits.envBytes} bytes`);
    if (!isStorableJson(env)) refuse(unstorable);
  });

const metaDataValue = z.union([z.string(), z.number(), z.boolean()], 'must be a string').transform(String);

const metaDataSchema = boundedObject(limits.metaDataEntries, orMissing('must be an object of strings'))
  .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } })
  .pipe(z.record(z.string(), metaDataValue.nullable()))
  .transform((data) =>
    Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null)),
  )
  .superRefine((data, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const keys = Object.keys(data);
    if (keys.some((key) => key === '' || key.length > limits.metaDataKeyLength))
      refuse(`must have keys of 1 to ${limits.metaDataKeyLength} characters`);
    if (Object.values(data).some((value) => byteLength(value) > limits.metaDataValueBytes))
      refuse(`values must be at most ${limits.metaDataValueBytes} bytes`);
    if (!isStorableJson(data)) refuse(unstorable);
  });

const authorSchema = z.object(
  { name: text(limits.personLength).nullish(), email: text(limits.personLength).nullish() },
  { error: orMissing('must be an object with name and email') },
);

/** Null and blank count as absent where a value is required. */
const required = (length: number) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), gitName(length));

const pullRequestNumber = 'must be a pull request number';

/** Fields of a new build in a request; unknown keys are ignored. */
export const newBuildFields = {
  commit: required(limits.commitLength),
  branch: required(limits.branchLength),
  message: text(limits.messageBytes).nullish(),
  author: authorSchema.nullish(),
  cleanCheckout: flag.nullish(),
  env: envSchema.nullish(),
  ignorePipelineBranchFilters: flag.nullish(),
  metaData: metaDataSchema.nullish(),
  pullRequestBaseBranch: gitName(limits.branchLength, { blank: true }).nullish(),
  pullRequestId: z
    .union(
      [
        z.number().int(pullRequestNumber).positive(pullRequestNumber).transform(String),
        z.string().regex(/^[1-9]\d{0,17}$/, pullRequestNumber),
      ],
      pullRequestNumber,
    )
    .nullish(),
  pullRequestRepository: text(limits.repositoryUrlLength).nullish(),
  pullRequestLabels: z
    .array(text(limits.labelLength), { error: orMissing('must be a list of strings') })
    .max(limits.pullRequestLabels, `has more than ${limits.pullRequestLabels} labels`)
    .nullish(),
};

/** Columns of a build that its maker must name. */
type RequiredColumns = Pick<BuildRow, 'commit' | 'branch' | 'source' | 'creatorId'>;

/** Every other column that a maker may set, with its value where none is set. */
const columnDefaults = {
  tag: null as string | null,
  message: null as string | null,
  author: null as BuildAuthor | null,
  env: {} as BuildRow['env'],
  cleanCheckout: false,
  ignorePipelineBranchFilters: false,
  /** Number of the pull request; the other columns of a pull request mean nothing without it. */
  pullRequestId: null as string | null,
  pullRequestBaseBranch: null as string | null,
  pullRequestRepository: null as string | null,
  pullRequestLabels: [] as string[],
  pullRequestDraft: null as boolean | null,
  rebuiltFromId: null as string | null,
  triggeredFromJobId: null as string | null,
  pipelineScheduleId: null as string | null,
  /** Search for a culprit that the build tests a commit for. */
  culpritSearchId: null as string | null,
  triggerDepth: 0,
};
type OptionalColumns = Pick<BuildRow, keyof typeof columnDefaults>;
const optionalColumns = Object.keys(columnDefaults) as (keyof OptionalColumns)[];

/**
 * A build about to be inserted, the same for every maker: a request, a rebuild, a trigger step, a delivery, a schedule.
 */
export interface NewBuild extends RequiredColumns, OptionalColumns {
  /** Whether `commit` is known to be a commit, not a ref such as HEAD. */
  commitResolved: boolean;
  metaData: Record<string, string>;
  /** Facts for step conditions that only the maker knows; they go before those read from the columns. */
  conditions: ConditionFacts['values'];
}

type Nullish<T> = { [K in keyof T]?: T[K] | null | undefined };

/** Schema of a new build; null and absent fields take their defaults, and unknown keys are ignored. */
export function newBuild(
  build: RequiredColumns & Nullish<Omit<NewBuild, keyof RequiredColumns>> & Record<string, unknown>,
): NewBuild {
  const { commit, branch, source, creatorId } = build;
  return {
    ...(Object.fromEntries(
      optionalColumns.map((column) => [column, build[column] ?? columnDefaults[column]]),
    ) as unknown as OptionalColumns),
    commit,
    branch,
    source,
    creatorId,
    commitResolved: build.commitResolved ?? /^[0-9a-f]{40}$/.test(commit),
    metaData: build.metaData ?? {},
    conditions: build.conditions ?? {},
  };
}

/** The new build that a build's row was made from, without meta-data. */
export function newBuildFromRow(build: BuildRow): NewBuild {
  return newBuild({
    ...build,
    rebuiltFromId: null,
    triggeredFromJobId: null,
    pipelineScheduleId: null,
    culpritSearchId: null,
    triggerDepth: 0,
  });
}
