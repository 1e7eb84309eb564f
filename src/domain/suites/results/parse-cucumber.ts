import { limits } from '../../limits/limits.js';
import { type Loose, objectOf, objectsOf } from './loose.js';
import { type ExecutionResult, type ParsedResult, UnreadableResults } from './result.js';
import { truncateLines, truncateOrNull, locationOf, secondsOrNull } from './text.js';

const nanosecondsOfSecond = 1e9;
const failing = new Set(['failed', 'ambiguous', 'undefined']);
const passedOver = new Set(['skipped', 'pending']);

/** Reads the report of Cucumber's JSON formatter (format `cucumber-json`): features with scenarios. */
export function parseCucumber(report: unknown): ParsedResult[] {
  if (!Array.isArray(report)) throw new UnreadableResults('is not a list of features');
  return objectsOf(report).flatMap((feature) =>
    objectsOf(feature['elements'])
      .filter((element) => element['type'] !== 'background')
      .map((scenario) => scenarioResult(feature, scenario)),
  );
}

function scenarioResult(feature: Loose, scenario: Loose): ParsedResult {
  const name = truncateOrNull(scenario['name'], limits.testNameLength);
  if (name === null) return { refused: 'scenario has no name' };
  const fileName = truncateOrNull(feature['uri'], limits.testNameLength);
  const steps = [
    ...objectsOf(scenario['before']),
    ...objectsOf(scenario['steps']),
    ...objectsOf(scenario['after']),
  ].map((step) => ({ name: step['name'], ...objectOf(step['result']) }) as Loose);
  const failed = steps.find((step) => failing.has(String(step['status'])));
  const message = typeof failed?.['error_message'] === 'string' ? failed['error_message'] : '';
  const [reason] = truncateLines(message);
  const durations = steps.map((step) => secondsOrNull(step['duration'])).filter((duration) => duration !== null);
  return {
    scope: truncateOrNull(feature['name'], limits.testNameLength) ?? '',
    name,
    fileName,
    location: locationOf(fileName, scenario['line']),
    result: resultOf(steps, failed !== undefined),
    failureReason:
      truncateOrNull(reason, limits.testFailureLength) ??
      truncateOrNull(
        failed && `${String(failed['status'])}: ${String(failed['name'] ?? 'a hook')}`,
        limits.testFailureLength,
      ),
    failureExpanded: message.trim() === '' ? [] : [{ expanded: truncateLines(message), backtrace: [] }],
    duration: durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0) / nanosecondsOfSecond,
    tags: {},
  };
}

function resultOf(steps: readonly Loose[], failed: boolean): ExecutionResult {
  if (failed) return 'failed';
  if (steps.some((step) => passedOver.has(String(step['status'])))) return 'skipped';
  return steps.length > 0 && steps.every((step) => step['status'] === 'passed') ? 'passed' : 'unknown';
}
