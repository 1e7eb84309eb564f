import { z } from 'zod';
import type { ConditionFacts } from '../../domain/conditional/condition.js';
import { byteLength, limits } from '../../domain/limits.js';
import type { BuildAuthor, BuildSource } from '../../entities/build.js';
import { flag, isStorableJson, orMissing, text, unstorable } from '../text.js';

const variableName = /^[^=\0]+$/;

const envSchema = z.record(z.string(), z.json({ error: 'must be a JSON value' }), { error: orMissing('must be an object') }).superRefine((env, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  const names = Object.keys(env);
  if (names.some((name) => !variableName.test(name) || name.length > limits.envNameLength)) refuse('has a name that no environment variable can have');
  if (names.length > limits.envEntries) refuse(`must have at most ${limits.envEntries} entries`);
  if (byteLength(JSON.stringify(env)) > limits.envBytes) refuse(`must be at most ${limits.envBytes} bytes`);
  if (!isStorableJson(env)) refuse(unstorable);
});

const metaDataValue = z.union([z.string(), z.number(), z.boolean()], 'must be a string').transform(String);

const metaDataSchema = z
  .record(z.string(), metaDataValue.nullable(), { error: orMissing('must be an object of strings') })
  .transform((data) => Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null)))
  .superRefine((data, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const keys = Object.keys(data);
    if (keys.some((key) => key === '' || key.length > limits.metaDataKeyLength)) refuse(`must have keys of 1 to ${limits.metaDataKeyLength} characters`);
    if (keys.length > limits.metaDataEntries) refuse(`must have at most ${limits.metaDataEntries} entries`);
    if (Object.values(data).some((value) => byteLength(value) > limits.metaDataValueBytes)) refuse(`values must be at most ${limits.metaDataValueBytes} bytes`);
    if (!isStorableJson(data)) refuse(unstorable);
  });

const authorSchema = z.object({ name: text(limits.personLength).nullish(), email: text(limits.personLength).nullish() }, { error: orMissing('must be an object with name and email') });

/** Null, as blank, is as good as absent where a value is required. */
const required = (length: number) => z.preprocess((value) => (value === null || value === '' ? undefined : value), text(length));

const pullRequestNumber = 'must be a pull request number';

/** What a caller may say of a new build (api-v2.md, POST builds); unknown keys are ignored. */
export const newBuildFields = {
  commit: required(limits.commitLength),
  branch: required(limits.branchLength),
  message: text(limits.messageBytes).nullish(),
  author: authorSchema.nullish(),
  cleanCheckout: flag.nullish(),
  env: envSchema.nullish(),
  ignorePipelineBranchFilters: flag.nullish(),
  metaData: metaDataSchema.nullish(),
  pullRequestBaseBranch: text(limits.branchLength).nullish(),
  pullRequestId: z.union([z.number().int().positive().transform(String), z.string().regex(/^\d{1,18}$/)], pullRequestNumber).nullish(),
  pullRequestRepository: text(limits.repositoryUrlLength).nullish(),
  pullRequestLabels: z.array(text(limits.labelLength), { error: orMissing('must be a list of strings') }).max(limits.pullRequestLabels, `has more than ${limits.pullRequestLabels} labels`).nullish(),
};

/** A build about to be made, whoever asks: a person, a rebuild, a trigger step. */
export interface NewBuild {
  commit: string;
  branch: string;
  tag?: string | null;
  message: string | null;
  author: BuildAuthor | null;
  env: Record<string, z.core.util.JSONType>;
  metaData: Record<string, string>;
  cleanCheckout: boolean;
  ignorePipelineBranchFilters: boolean;
  pullRequest: { id: string; baseBranch: string | null; repository: string | null; labels: string[]; draft: boolean | null } | null;
  source: BuildSource;
  /** What conditions may ask and only the maker of the build knows. */
  conditions?: ConditionFacts['values'];
  creatorId: string | null;
  commitResolved?: boolean;
  rebuiltFromId?: string | null;
  triggeredFromJobId?: string | null;
  pipelineScheduleId?: string | null;
  triggerDepth?: number;
}
