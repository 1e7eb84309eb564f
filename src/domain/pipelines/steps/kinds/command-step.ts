import { Attributes, report } from '../attributes/attributes.js';
import { readAgents } from '../attributes/agents.js';
import { matrixJobs, normalMatrix, parseMatrix, type Matrix } from '../matrix/matrix.js';
import { unknownTokens } from '../matrix/tokens.js';
import { readPlugins } from '../attributes/plugins.js';
import { readRetry } from '../attributes/retry-rules.js';
import { readSecrets } from '../attributes/secrets.js';
import { readSoftFail } from '../attributes/soft-fail.js';
import { readStepBase } from './step-base.js';
import { limitOf } from '../../../limits/raised-limits.js';
import { stepLimits } from '../../../limits/step-limits.js';
import type { CommandStep, Json } from '../step.js';

/** Reads a command step. Unknown attributes are accepted and kept in `source`. */
export function readCommandStep(attributes: Attributes): CommandStep {
  const retry = readRetry(attributes);
  const step: CommandStep = {
    type: 'command',
    ...readStepBase(attributes),
    command: readCommand(attributes),
    agents: readAgents(attributes),
    artifactPaths: readArtifactPaths(attributes),
    env: attributes.environment('env'),
    plugins: readPlugins(attributes),
    timeoutInMinutes: attributes.integer(['timeout_in_minutes', 'timeout'], { min: 1 }),
    parallelism: attributes.integer(['parallelism'], { min: 0, max: limitOf('jobsPerUpload') }),
    matrix: null,
    ...readConcurrency(attributes),
    priority: attributes.integer(['priority']) ?? 0,
    retryAutomatic: retry.automatic,
    retryManual: retry.manual,
    softFail: readSoftFail(attributes),
    cancelOnBuildFailing: attributes.flag('cancel_on_build_failing', false),
    image: attributes.text('image'),
    secrets: readSecrets(attributes),
    signature: attributes.object('signature'),
    checkout: attributes.object('checkout'),
    cache: attributes.value('cache') ?? null,
    notify: attributes.items('notify'),
    source: attributes.raw,
  };
  step.matrix = readMatrix(attributes, step);
  return step;
}

function readCommand(attributes: Attributes): string | null {
  const command = attributes.list('commands', 'command').join('\n');
  return command === '' ? null : command;
}

function readArtifactPaths(attributes: Attributes): string | null {
  const paths = attributes.list('artifact_paths', 'artifacts').filter((path) => path !== '');
  return paths.length === 0 ? null : paths.join(';');
}

function readConcurrency(
  attributes: Attributes,
): Pick<CommandStep, 'concurrency' | 'concurrencyGroup' | 'concurrencyMethod'> {
  const concurrency = attributes.integer(['concurrency'], { min: 1 });
  const concurrencyGroup = attributes.text('concurrency_group');
  const written = attributes.value('concurrency');
  const limited = concurrency !== null || attributes.pending(written);
  if (limited && concurrencyGroup === null) {
    attributes.problem(
      'concurrency',
      '"concurrency" also needs a "concurrency_group" (concurrency_group_id is missing).',
    );
  }
  if (concurrencyGroup !== null && !limited && (written === undefined || written === null)) {
    attributes.problem(
      'concurrency_group',
      '"concurrency_group" also needs "concurrency", the number of jobs it lets run at once.',
    );
  }
  if (concurrencyGroup !== null && concurrencyGroup.length > stepLimits.concurrencyGroupLength) {
    attributes.problem(
      'concurrency_group',
      `"concurrency_group" must have at most ${stepLimits.concurrencyGroupLength} characters.`,
    );
  }
  return {
    concurrency,
    concurrencyGroup,
    concurrencyMethod: attributes.choice('concurrency_method', ['ordered', 'eager']),
  };
}

function readMatrix(attributes: Attributes, step: CommandStep): Json | null {
  const value = attributes.value('matrix');
  if (value === undefined || value === null) return null;
  const result = parseMatrix(value);
  if (!result.ok) {
    for (const { path, message } of result.problems) report(attributes.reading, attributes.pathOf(path), message);
    return null;
  }
  if (attributes.value('parallelism') !== undefined && attributes.value('parallelism') !== null) {
    attributes.problem('parallelism', '"parallelism" and "matrix" cannot both be used on one step.');
  }
  checkTokens(attributes, step, result.matrix);
  return normalMatrix(result.matrix);
}

/** A token without a dimension would fail when the build is created; a matrix without jobs has no values. */
function checkTokens(attributes: Attributes, step: CommandStep, matrix: Matrix): void {
  if (matrixJobs(matrix).length === 0) return;
  const texts: [string, string][] = [
    ['command', step.command ?? ''],
    ['label', step.label ?? ''],
    ['env', Object.values(step.env).join('\n')],
    ['agents', step.agents.join('\n')],
    ['plugins', JSON.stringify(step.plugins)],
  ];
  for (const [name, text] of texts) {
    const unknown = unknownTokens(text, Object.keys(matrix.setup));
    if (unknown.length > 0)
      attributes.problem(
        name,
        `The matrix has no dimension for ${[...new Set(unknown)].map((each) => `{{${each}}}`).join(', ')}.`,
      );
  }
}
