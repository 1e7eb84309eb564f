import { limits } from '../../limits/limits.js';
import { limitOf, type RaisableLimit } from '../../limits/raised-limits.js';
import { planJobs } from './expand.js';
import { plannedTextBytes } from './job-texts.js';
import { stepLimits } from '../../limits/step-limits.js';
import type { DefinitionProblem, Json, ParseResult, PipelineDefinition, Step } from './step.js';

/**
 * The result of reading a definition, refused where a text of it, a step, or what a build would store of it is larger
 * than it may be. What is only shown is not checked: definitions from before a limit stay readable.
 */
export function withinSizes(result: ParseResult): ParseResult {
  if (!result.ok) return result;
  const problems = sizeProblems(result.definition);
  return problems.length === 0 ? result : { ok: false, problems };
}

/**
 * The texts of a definition that are larger than they may be; if there are none, the sum that is, with the step that
 * has most of it.
 */
function sizeProblems(definition: PipelineDefinition): DefinitionProblem[] {
  const sizes = new Sizes();
  sizes.environment('env', definition.env);
  sizes.notify('notify', definition.notify);
  const steps = [...stepsWithPaths(definition.steps)];
  for (const { path, step } of steps) stepSizes(sizes, path, step);
  if (sizes.problems.length > 0) return sizes.problems.slice(0, stepLimits.problems);
  const sum = stepSumProblem(steps) ?? jobSumProblem(steps);
  return sum === null ? [] : [sum];
}

interface PlacedStep {
  path: string;
  step: Step;
}

function* stepsWithPaths(steps: readonly Step[], within = 'steps'): Generator<PlacedStep> {
  for (const [index, step] of steps.entries()) {
    const path = `${within}[${index}]`;
    yield { path, step: step.type === 'group' ? { ...step, steps: [] } : step };
    if (step.type === 'group') yield* stepsWithPaths(step.steps, `${path}.steps`);
  }
}

/** Collects a problem for each text above its limit. */
class Sizes {
  readonly problems: DefinitionProblem[] = [];

  atMost(path: string, size: number, most: number, unit: 'bytes' | 'characters' | 'entries' = 'bytes'): void {
    if (size <= most) return;
    // The name of the attribute, or of a step that has none.
    const [, name] = /\.?([^.]*)$/.exec(path) ?? [];
    const subject = name?.startsWith('steps[') ? 'The step' : `"${name}"`;
    this.problems.push({ path, message: `${subject} has ${size} ${unit}; it may have at most ${most}.` });
  }

  bytes(path: string, text: string | null, most: number): void {
    if (text !== null) this.atMost(path, Buffer.byteLength(text), most);
  }

  json(path: string, value: unknown, most: number): void {
    if (value !== null) this.bytes(path, JSON.stringify(value), most);
  }

  environment(path: string, env: Record<string, string>): void {
    this.atMost(path, Object.keys(env).length, limits.envEntries, 'entries');
    this.json(path, env, limits.envBytes);
  }

  notify(path: string, entries: readonly Json[]): void {
    this.atMost(path, entries.length, limits.notifyEntries, 'entries');
    for (const [index, entry] of entries.entries()) this.json(`${path}[${index}]`, entry, limits.notifyEntryBytes);
    this.json(path, entries, limitOf('notifyBytes'));
  }
}

function stepSizes(sizes: Sizes, path: string, step: Step): void {
  const of = (name: string) => `${path}.${name}`;
  sizes.atMost(of('label'), step.label?.length ?? 0, limits.stepLabelLength, 'characters');
  sizes.atMost(of('branches'), step.branches?.length ?? 0, limits.branchPatternLength, 'characters');
  if ('notify' in step) sizes.notify(of('notify'), step.notify ?? []);
  if (step.type === 'command') {
    sizes.bytes(of('command'), step.command, limitOf('commandBytes'));
    sizes.environment(of('env'), step.env);
    sizes.json(of('plugins'), step.plugins, limitOf('pluginsBytes'));
    sizes.bytes(of('artifact_paths'), step.artifactPaths, limits.artifactPathsBytes);
    sizes.atMost(of('agents'), step.agents.length, limits.agentQueryRules, 'entries');
    for (const rule of step.agents) sizes.atMost(of('agents'), rule.length, limits.agentQueryRuleLength, 'characters');
  }
  if (step.type === 'trigger') {
    sizes.bytes(of('build.message'), step.build.message, limits.messageBytes);
    sizes.environment(of('build.env'), step.build.env);
    sizes.atMost(of('build.meta_data'), Object.keys(step.build.metaData).length, limits.metaDataEntries, 'entries');
    for (const [key, value] of Object.entries(step.build.metaData)) {
      sizes.atMost(of('build.meta_data'), key.length, limits.metaDataKeyLength, 'characters');
      sizes.bytes(of(`build.meta_data.${key.slice(0, limits.metaDataKeyLength)}`), value, limits.metaDataValueBytes);
    }
  }
  if ('allowedTeams' in step)
    sizes.atMost(of('allowed_teams'), step.allowedTeams.length, limits.allowedTeams, 'entries');
  sizes.json(path, step, limitOf('stepBytes'));
}

/**
 * Bytes of steps as a build stores them, counted until the sum is above its limit: defaults such as `cache` multiply
 * too.
 */
export function storedStepBytes(steps: readonly Step[], most = limitOf('buildStepBytes')): number {
  let sum = 0;
  for (const { step } of stepsWithPaths(steps)) {
    sum += Buffer.byteLength(JSON.stringify(step));
    if (sum > most) break;
  }
  return sum;
}

function stepSumProblem(steps: readonly PlacedStep[]): DefinitionProblem | null {
  const bytes = storedStepBytes(steps.map(({ step }) => step));
  if (bytes <= limitOf('buildStepBytes')) return null;
  return { path: 'steps', message: sumSentence('The steps of a build', bytes, 'buildStepBytes') };
}

/** Assumes that every job applies to the build: which jobs do is not known yet, and jobs that do not are stored too. */
const anyBuild = { branchMatches: () => true, conditionHolds: () => true };

/** Counts texts times jobs before any row is built, job by job, because the values of a matrix differ. */
function jobSumProblem(steps: readonly PlacedStep[]): DefinitionProblem | null {
  const most = limitOf('jobTextBytes');
  let sum = 0;
  let largest = { path: 'steps', bytes: 0, jobs: 0 };
  for (const { path, step } of steps) {
    if (step.type === 'group') continue;
    const artifactPaths = step.type === 'command' ? step.artifactPaths : null;
    const here = { path, bytes: 0, jobs: 0 };
    // The jobs of a parallelism differ by their numbers only, and their labels by a few characters.
    const parallelism = 'parallelism' in step ? Math.max(1, step.parallelism ?? 1) : 1;
    const plain = 'parallelism' in step ? { ...step, parallelism: null } : step;
    for (const job of planJobs(plain, anyBuild)) {
      here.bytes += plannedTextBytes(job, artifactPaths) * parallelism;
      here.jobs += parallelism;
      if (sum + here.bytes > most) break;
    }
    sum += here.bytes;
    if (here.bytes > largest.bytes) largest = here;
    if (sum > most) {
      const times = largest.jobs > 1 ? ` in ${largest.jobs} jobs` : '';
      const share = `this step alone has ${largest.bytes}${times}`;
      return {
        path: largest.path,
        message: sumSentence('The texts of the jobs of a build', sum, 'jobTextBytes', share),
      };
    }
  }
  return null;
}

/** The refusal of a sum; `sum` may be what was counted until it was above the limit. */
function sumSentence(what: string, sum: number, name: RaisableLimit, share?: string): string {
  const counted = share === undefined ? `${sum} or more` : `${sum} or more (${share})`;
  return `${what} together may have at most ${limitOf(name)} bytes; these have ${counted}.`;
}
