import type { ValueType } from './types.js';

/**
 * Places in which conditions are used. Step variables exist in the step-aware ones only; in notifications every problem
 * means that the notification is not sent.
 */
export const entryPoints = [
  'build_condition',
  'build_condition_with_step',
  'build_notification',
  'step_notification',
  'rule',
] as const;
export type EntryPoint = (typeof entryPoints)[number];

/** True for entry points where `step.*` exists. */
export function knowsStep(entryPoint: EntryPoint): boolean {
  return entryPoint === 'build_condition_with_step' || entryPoint === 'step_notification';
}

/** In rules between pipelines, variables begin with the pipeline that they are about; there is only the source. */
const source = 'source.';

/** True for entry points where a condition that cannot be evaluated is simply false. */
export function isNotification(entryPoint: EntryPoint): boolean {
  return entryPoint === 'build_notification' || entryPoint === 'step_notification';
}

const enums = {
  buildState: [
    'creating',
    'started',
    'running',
    'scheduled',
    'blocked',
    'passed',
    'failing',
    'failed',
    'canceling',
    'canceled',
    'skipped',
    'not_run',
  ],
  blockedState: ['failed', 'passed', 'running'],
  source: ['api', 'ui', 'webhook', 'trigger_job', 'schedule', 'pipeline_trigger'],
  stepType: ['command', 'wait', 'input', 'trigger', 'group'],
  stepState: [
    'ignored',
    'waiting_for_dependencies',
    'ready',
    'waiting_for_input',
    'running',
    'failing',
    'canceled',
    'finished',
  ],
  stepOutcome: ['neutral', 'passed', 'soft_failed', 'hard_failed', 'errored'],
} as const;

/** `blank string` reads as null when it holds nothing but white space. */
const table = {
  'build.id': 'string',
  'build.state': 'buildState',
  'build.fixed': 'boolean',
  'build.blocked_state': 'blockedState',
  'build.source': 'source',
  'build.source_event': 'string',
  'build.source_action': 'string',
  'build.branch': 'string',
  'build.tag': 'blank string',
  'build.message': 'blank string',
  'build.commit': 'string',
  'build.number': 'integer',
  'build.creator.id': 'string',
  'build.creator.name': 'string',
  'build.creator.email': 'string',
  'build.creator.teams': 'string[]',
  'build.creator.verified': 'boolean',
  'build.author.id': 'string',
  'build.author.name': 'blank string',
  'build.author.email': 'blank string',
  'build.author.teams': 'string[]',
  'build.scm.author.name': 'string',
  'build.scm.author.email': 'string',
  'build.scm.committer.name': 'string',
  'build.scm.committer.email': 'string',
  'build.pull_request.id': 'string',
  'build.pull_request.base_branch': 'string',
  'build.pull_request.draft': 'boolean',
  'build.pull_request.label': 'string',
  'build.pull_request.labels': 'string[]',
  'build.pull_request.repository': 'string',
  'build.pull_request.repository.fork': 'boolean',
  'build.merge_queue.base_branch': 'string',
  'build.merge_queue.base_commit': 'string',
  'pipeline.id': 'string',
  'pipeline.slug': 'string',
  'pipeline.default_branch': 'blank string',
  'pipeline.repository': 'blank string',
  'pipeline.started_passing': 'boolean',
  'pipeline.started_failing': 'boolean',
  'pipeline.next_finished_build_exists': 'boolean',
  'organization.id': 'string',
  'organization.slug': 'string',
  'step.id': 'string',
  'step.key': 'string',
  'step.type': 'stepType',
  'step.label': 'string',
  'step.state': 'stepState',
  'step.outcome': 'stepOutcome',
} as const;

/** Facts that no variable shows but from which built-in environment variables are made (env.ts). */
const _hidden = {
  'pipeline.name': 'string',
  'pipeline.use_merge_queue_base_commit_for_git_diff_base': 'boolean',
  'build.pull_request.using_merge_refspec': 'boolean',
  'build.merge_queue.active': 'boolean',
  'build.triggered_from.build_id': 'string',
  'build.triggered_from.build_number': 'integer',
  'build.triggered_from.pipeline_slug': 'string',
  'build.triggered_from.job_id': 'string',
  'build.rebuilt_from.build_id': 'string',
  'build.rebuilt_from.build_number': 'integer',
} as const;

type Shape<T> = T extends 'boolean'
  ? boolean
  : T extends 'integer'
    ? number
    : T extends 'string[]'
      ? readonly string[]
      : string;
type Facts<T> = { -readonly [K in keyof T]?: Shape<T[K]> | null };

export type VariableName = keyof typeof table;
export type VariableValue = string | number | boolean | readonly string[] | null;

/** Facts about the build; absent facts are null. */
export interface ConditionFacts {
  values: Facts<typeof table> & Facts<typeof _hidden>;
  /** Environment of the build; wins over the pipeline's. */
  buildEnv?: Readonly<Record<string, string>>;
  pipelineEnv?: Readonly<Record<string, string>>;
}

function isVariable(name: string): name is VariableName {
  return Object.hasOwn(table, name);
}

const enumNames: Readonly<Record<keyof typeof enums, string>> = {
  buildState: 'build state',
  blockedState: 'build blocked state',
  source: 'build source',
  stepType: 'step type',
  stepState: 'step state',
  stepOutcome: 'step outcome',
};

/** The static type of a variable at an entry point, null if there is no such variable there. */
export function variableType(name: string, entryPoint: EntryPoint): ValueType | null {
  if (entryPoint === 'rule')
    return name.startsWith(source) ? variableType(name.slice(source.length), 'build_condition') : null;
  if (!isVariable(name) || (name.startsWith('step.') && !knowsStep(entryPoint))) return null;
  const entry = table[name];
  if (entry === 'blank string' || entry === 'string') return { kind: 'string' };
  if (entry === 'boolean' || entry === 'integer' || entry === 'string[]') return { kind: entry };
  return { kind: 'enum', name: enumNames[entry], members: enums[entry] };
}

/** Event and action exist for webhook builds only; if they are not recorded, the build's environment has them. */
function fromWebhook(
  facts: ConditionFacts,
  name: 'build.source_event' | 'build.source_action',
  env: string,
): string | null {
  if (facts.values['build.source'] !== 'webhook') return null;
  return facts.values[name] ?? facts.buildEnv?.[env] ?? null;
}

/** The label whose addition or removal started the build. */
function label(facts: ConditionFacts): string | null {
  if (variableValue('build.source_event', facts) !== 'pull_request') return null;
  const action = variableValue('build.source_action', facts);
  return action === null || action === 'labeled' || action === 'unlabeled'
    ? (facts.values['build.pull_request.label'] ?? null)
    : null;
}

/** The run-time value of a variable that passed the check. */
export function variableValue(name: string, facts: ConditionFacts): VariableValue {
  if (name.startsWith(source)) return variableValue(name.slice(source.length), facts);
  if (!isVariable(name)) return null;
  if (name === 'build.source_event') return fromWebhook(facts, name, 'BUILDKITE_GITHUB_EVENT');
  if (name === 'build.source_action') return fromWebhook(facts, name, 'BUILDKITE_GITHUB_ACTION');
  if (name === 'build.pull_request.label') return label(facts);
  const value = facts.values[name] ?? null;
  return table[name] === 'blank string' && typeof value === 'string' && value.trim() === '' ? null : value;
}
