import type { Context } from '../../request/context.js';
import { isAgentOwned } from '../../domain/builds/agent-variables.js';
import { isVariableName } from '../../domain/builds/variable-name.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import { limitOf } from '../../domain/limits/raised-limits.js';
import { Problem } from '../../domain/problem.js';
import type { Json, PipelineDefinition, Step } from '../../domain/pipelines/steps/step.js';
import { storedStepBytes } from '../../domain/pipelines/steps/definition-sizes.js';
import { plannedTextBytes } from '../../domain/pipelines/steps/job-texts.js';
import type { BuildRow } from '../../entities/database.js';
import type { SchedulableJob, SchedulableStep } from '../builds/load-facts.js';
import { jobTextProblem, stepTextProblem, storedSums } from '../builds/stored-sums.js';
import { conditionFacts, primeFacts } from '../new-builds/build-facts.js';
import { type PlannedStep, planSteps } from '../new-builds/build-plan.js';
import type { BuildParent } from '../new-builds/insert-build.js';
import { newBuildFromRow } from '../new-builds/new-build.js';

export type UploadPlan =
  { ok: true; planned: PlannedStep[]; jobsCount: number; notify: Json[] } | { ok: false; message: string };

/**
 * Plans the steps of an upload beside the steps and jobs that the build keeps, and checks every limit. `definition.env`
 * is the environment of the build's pipeline together with that of the upload.
 */
export async function planUpload(
  context: Context,
  { organization, pipeline, build }: BuildParent & { build: BuildRow },
  remaining: { steps: readonly SchedulableStep[]; jobs: readonly SchedulableJob[] },
  definition: PipelineDefinition,
): Promise<UploadPlan> {
  const key = usedKey(definition.steps, new Set(remaining.steps.map((step) => step.key)));
  if (key !== null) return refused(`The key "${key}" has already been used by another step in this build`);
  const envProblem = environmentProblem(definition.env);
  if (envProblem !== null) return refused(envProblem);
  const notify = mergeNotify(build.notify, definition.notify);
  const notifyBytes = byteLength(JSON.stringify(notify));
  if (notify.length > limits.notifyEntries)
    return refused(`A build can have at most ${limits.notifyEntries} entries in "notify".`);
  if (definition.notify.length > 0 && notifyBytes > limitOf('notifyBytes'))
    return refused(
      `"notify" of a build can have at most ${limitOf('notifyBytes')} bytes; with this upload it ` +
        `would have ${notifyBytes}.`,
    );

  await primeFacts(context, { pipeline }, build);
  const conditions = await conditionFacts(context, { organization, pipeline }, newBuildFromRow(build), definition.env);
  const values = { ...conditions.values, 'build.state': build.state === 'failing' ? 'failing' : 'started' };
  let planned: PlannedStep[];
  try {
    planned = planSteps(definition, { branch: build.branch, conditions: { ...conditions, values } }, () =>
      context.newId(),
    );
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_state') return refused(error.message);
    throw error;
  }
  const jobsCount = planned.reduce((count, step) => count + step.jobs.length, 0);
  if (jobsCount > limitOf('jobsPerUpload'))
    return refused(`An upload can have at most ${limitOf('jobsPerUpload')} jobs; this one would have ${jobsCount}.`);
  const total = remaining.jobs.length + jobsCount;
  if (total > limits.jobsPerBuild)
    return refused(
      `A build can have at most ${limits.jobsPerBuild} jobs; with this upload this one would have ${total}.`,
    );
  const problem = await sumProblem(context, build.id, remaining.steps, planned);
  return problem === null ? { ok: true, planned, jobsCount, notify } : refused(problem);
}

/**
 * Why the texts of an upload, whose jobs the parser has counted, have no room beside those that the build keeps; null
 * if they have.
 */
async function sumProblem(
  context: Context,
  buildId: string,
  remaining: readonly SchedulableStep[],
  planned: readonly PlannedStep[],
): Promise<string | null> {
  const stored = await storedSums(
    context,
    buildId,
    remaining.map(({ id }) => id),
  );
  const jobTexts = planned.reduce((sum, { step, jobs }) => {
    const artifactPaths = step.type === 'command' ? step.artifactPaths : null;
    return jobs.reduce((bytes, { plan }) => bytes + plannedTextBytes(plan, artifactPaths), sum);
  }, stored.jobTextBytes);
  if (jobTexts > limitOf('jobTextBytes')) return jobTextProblem(jobTexts);
  const steps = planned.map(({ step }) => (step.type === 'group' ? { ...step, steps: [] } : step));
  const stepTexts = stored.stepBytes + storedStepBytes(steps);
  return stepTexts > limitOf('buildStepBytes') ? stepTextProblem(stepTexts) : null;
}

const refused = (message: string): UploadPlan => ({ ok: false, message });

/** The first key of the upload that a step of the build has; the parser refuses keys that the upload has twice. */
function usedKey(steps: readonly Step[], keys: ReadonlySet<string | null>): string | null {
  for (const step of steps) {
    if (step.key !== null && keys.has(step.key)) return step.key;
    const inside = step.type === 'group' ? usedKey(step.steps, keys) : null;
    if (inside !== null) return inside;
  }
  return null;
}

function environmentProblem(env: Record<string, string>): string | null {
  const entries = Object.entries(env).filter(([name]) => !isAgentOwned(name));
  if (entries.length > limits.envEntries)
    return `The environment of a pipeline can have at most ${limits.envEntries} variables.`;
  const wrong = entries.find(([name]) => !isVariableName(name));
  if (wrong) return `No environment variable can have the name ${JSON.stringify(wrong[0].slice(0, 100))}.`;
  const bytes = entries.reduce((sum, [name, value]) => sum + byteLength(name) + byteLength(value), 0);
  return bytes > limits.envBytes ? `The environment of a pipeline can have at most ${limits.envBytes} bytes.` : null;
}

/** `notify` of a build with that of an upload; an entry that it has already is not added again. */
function mergeNotify(present: readonly Json[], added: readonly Json[]): Json[] {
  const known = new Set(present.map((entry) => JSON.stringify(entry)));
  return [...present, ...added.filter((entry) => !known.has(JSON.stringify(entry)))];
}
