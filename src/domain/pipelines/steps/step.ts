/**
 * The normalized step graph: the result of parsing a pipeline definition (YAML or visual steps), whatever spelling it
 * used. Everything after the parser works on these shapes only.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type StepType = 'command' | 'wait' | 'block' | 'input' | 'trigger' | 'group';

/** One entry of `depends_on`; `step` is a step key (or a group's key, meaning the whole group). */
export interface StepDependency {
  step: string;
  allowFailure: boolean;
}

/** Automatic retry rule; every condition that is given must match, the first matching rule wins. */
export interface RetryRule {
  /** `'*'` is any status but 0; absent is any. */
  exitStatus?: '*' | number[];
  signal?: string[];
  signalReason?: string[];
  /** 0 to 10. */
  limit: number;
}

export interface ManualRetry {
  allowed: boolean;
  permitOnPassed: boolean;
  reason: string | null;
}

/** `true`: any failure is soft. */
export type SoftFail = boolean | { exitStatus: '*' | number }[];

/** Attributes of every kind of step. */
export interface StepBase {
  key: string | null;
  label: string | null;
  /** null: implicit order (waits and blocks); []: explicitly none (`depends_on: ~`). */
  dependsOn: StepDependency[] | null;
  allowDependencyFailure: boolean;
  if: string | null;
  /** Branch patterns, items separated by spaces. */
  branches: string | null;
  /** false, or the reason the step is skipped ('' where no reason was given). */
  skip: false | string;
}

export interface CommandStep extends StepBase {
  type: 'command';
  /** null for a plugin-only step; several commands are joined by newlines. */
  command: string | null;
  /** `key=value` rules. */
  agents: string[];
  /** `;`-joined. */
  artifactPaths: string | null;
  env: Record<string, string>;
  plugins: Json[] | null;
  timeoutInMinutes: number | null;
  parallelism: number | null;
  matrix: Json | null;
  concurrency: number | null;
  concurrencyGroup: string | null;
  concurrencyMethod: 'ordered' | 'eager';
  priority: number;
  retryAutomatic: RetryRule[];
  retryManual: ManualRetry;
  softFail: SoftFail;
  cancelOnBuildFailing: boolean;
  image: string | null;
  /** `{key, environment_variable}` each. */
  secrets: JsonObject[] | null;
  signature: JsonObject | null;
  checkout: JsonObject | null;
  cache: Json | null;
  /** Notifications about this step. */
  notify?: Json[];
  /** The step exactly as it was written: agents verify signatures against it. */
  source: JsonObject;
}

export interface WaitStep extends StepBase {
  type: 'wait';
  continueOnFailure: boolean;
}

/** `block` orders the steps around it, `input` does not. */
export interface BlockStep extends StepBase {
  type: 'block' | 'input';
  prompt: string | null;
  submit: string | null;
  fields: JsonObject[];
  blockedState: 'passed' | 'failed' | 'running';
  /** Team slugs or uuids. */
  allowedTeams: string[];
}

export interface TriggerStep extends StepBase {
  type: 'trigger';
  /** Slug of the triggered pipeline. */
  trigger: string;
  async: boolean;
  softFail: SoftFail;
  parallelism: number | null;
  build: {
    message: string | null;
    branch: string | null;
    commit: string | null;
    env: Record<string, string>;
    metaData: Record<string, string>;
  };
}

export interface GroupStep extends StepBase {
  type: 'group';
  /** Notifications about the group. */
  notify?: Json[];
  /** `if` and `skip` of the group are already merged into these; no group inside a group. */
  steps: Exclude<Step, GroupStep>[];
}

export type Step = CommandStep | WaitStep | BlockStep | TriggerStep | GroupStep;

/** A whole parsed pipeline document. */
export interface PipelineDefinition {
  env: Record<string, string>;
  agents: string[];
  priority: number;
  image: string | null;
  secrets: JsonObject[] | null;
  notify: Json[];
  checkout: JsonObject | null;
  cache: Json | null;
  steps: Step[];
}

/** A problem with a definition, in words for its author. */
export interface DefinitionProblem {
  /** For example `steps[2].matrix`; empty for the whole document. */
  path: string;
  message: string;
}

export type ParseResult = { ok: true; definition: PipelineDefinition } | { ok: false; problems: DefinitionProblem[] };
