import { z } from 'zod';
import { isVariableName, variableNameProblem } from '../../domain/builds/variable-name.js';
import { largestInteger } from '../../domain/integer-column.js';
import { branchPatternProblem } from '../../domain/pipelines/branch-pattern.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import { tagProblems } from '../../domain/pipelines/pipeline-tags.js';
import { repositoryUrlProblem } from '../../domain/pipelines/repository-url.js';
import { pipelineRetention } from '../../domain/retention/policy.js';
import { slugProblem } from '../../domain/slug.js';
import { nestsTooDeep, tooDeep } from '../../domain/pipelines/steps/document.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import {
  filledText,
  flag,
  gitName,
  isStorable,
  isStorableJson,
  oneOf,
  orMissing,
  text,
  unstorable,
  wholeNumber,
} from '../../domain/input-text.js';
import { mirrorUrlProblem } from './mirror-url.js';

/** Schema with a rule of the domain: `problem` returns the problem of a value, or null. */
const ruled = <Schema extends z.ZodType<string>>(schema: Schema, problem: (value: string) => string | null) =>
  schema.superRefine((value, context) => {
    const message = problem(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

const branchPatterns = ruled(text(limits.branchPatternLength), branchPatternProblem).nullish();
/** 0 is no timeout, and is shown as 0 to clients that compare what they read with what they sent. */
const timeout = wholeNumber(0, limits.timeoutMinutes).nullish();
const color = /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}))?$/i;
const emoji = /^(?::[\w+-]+:|\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200d\ufe0f]*)?$/u;

/** Required to create a pipeline. */
export const pipelineName = filledText(limits.pipelineNameLength);
export const repositoryUrl = ruled(filledText(limits.repositoryUrlLength), repositoryUrlProblem);
export const pipelineSlug = ruled(text(1_000), slugProblem);

const tags = z.array(text(1_000), { error: 'must be a list of strings' }).superRefine((value, context) => {
  for (const { index, message } of tagProblems(value))
    context.addIssue({ code: 'custom', message, path: index === null ? [] : [index] });
});

const variable = z
  .union([z.string(), z.number(), z.boolean()], 'must be a string')
  .transform(String)
  .pipe(text(limits.envBytes));

/** Environment of a visual pipeline: numbers and booleans are stored as text. */
const environment = z
  .record(z.string(), variable, { error: 'must be an object of strings' })
  .superRefine((value, context) => {
    const names = Object.keys(value);
    if (!names.every((name) => isVariableName(name) && isStorable(name)))
      context.addIssue({ code: 'custom', message: variableNameProblem });
    if (names.length > limits.envEntries)
      context.addIssue({ code: 'custom', message: `has more than ${limits.envEntries} variables` });
    if (byteLength(Object.entries(value).flat().join('')) > limits.envBytes)
      context.addIssue({ code: 'custom', message: `is larger than ${limits.envBytes} bytes` });
  });

/** Visual steps, unparsed; `domain/pipelines/steps` reads them. */
const visualSteps = z.array(z.unknown(), { error: 'must be a list of steps' }).superRefine((value, context) => {
  const steps = value as Json[];
  if (nestsTooDeep(steps)) return context.addIssue({ code: 'custom', message: tooDeep });
  if (!isStorableJson(steps)) context.addIssue({ code: 'custom', message: unstorable });
  if (byteLength(JSON.stringify(steps)) > limits.configurationBytes)
    context.addIssue({ code: 'custom', message: `is larger than ${limits.configurationBytes} bytes` });
});

/** Fields of a pipeline in create and update: absent changes nothing, null restores the default. */
export const settingFields = {
  description: text(limits.descriptionLength).nullish(),
  branchConfiguration: branchPatterns,
  defaultBranch: gitName(limits.branchLength, { blank: true }).nullish(),
  skipQueuedBranchBuilds: flag.nullish(),
  skipQueuedBranchBuildsFilter: branchPatterns,
  cancelRunningBranchBuilds: flag.nullish(),
  cancelRunningBranchBuildsFilter: branchPatterns,
  allowRebuilds: flag.nullish(),
  defaultTimeoutInMinutes: timeout,
  maximumTimeoutInMinutes: timeout,
  cloneMirrorUrl: ruled(text(limits.repositoryUrlLength), mirrorUrlProblem).nullish(),
  color: text(20).regex(color, 'must be a color such as #1a2b3c').nullish(),
  emoji: text(100).regex(emoji, 'must be an emoji such as :rocket:').nullish(),
  visibility: oneOf(['private', 'public']).nullish(),
  tags: tags.nullish(),
  /** What of its builds goes with time; null for what the organization says. */
  retention: pipelineRetention.nullish(),
};

export const definitionFields = {
  /** YAML, verbatim. */
  configuration: text(limits.configurationBytes).nullish(),
  /** Visual steps; ignored where there is a configuration. */
  steps: visualSteps.nullish(),
  /** Taken with visual steps only. */
  env: environment.nullish(),
};

export const referenceFields = {
  /** Uuid or node id. */
  clusterId: text(300).nullish(),
  /** Uuid or node id. */
  pipelineTemplateId: text(300).nullish(),
  /** Names as on the wire (`trigger_mode`); those the provider does not take are ignored. */
  providerSettings: z
    .record(z.string(), z.unknown(), { error: 'must be an object' })
    .superRefine((input, context) => {
      for (const [name, value] of Object.entries(input)) {
        if (typeof value === 'string' && !isStorable(value))
          context.addIssue({ code: 'custom', message: unstorable, path: [name] });
      }
    })
    .nullish(),
  nextBuildNumber: wholeNumber(1, largestInteger).nullish(),
};

export const accessLevels = oneOf(['read_only', 'build_and_read', 'manage_build_and_read']);

/** Some clients send an empty list for an empty object. */
const emptyListAsObject = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

export const teamFields = {
  /** Team (uuid or node id) to access level. */
  teams: z.preprocess(
    emptyListAsObject,
    z.record(z.string(), accessLevels, { error: 'must be an object of team ids and access levels' }).nullish(),
  ),
  /** Deprecated: the same with full access for each. */
  teamUuids: z.array(text(300), { error: orMissing('must be a list of team ids') }).nullish(),
};
