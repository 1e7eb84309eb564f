import { isObject, scalarText } from './attributes/attributes.js';
import { interpolate, InterpolationError } from './interpolate.js';
import { limitOf } from '../../limits/raised-limits.js';
import type { Json, JsonObject } from './step.js';

/** The standard variables that stored steps may refer to: those known before the build's jobs are. */
export const definitionVariables = [
  'BRANCH',
  'TAG',
  'MESSAGE',
  'COMMIT',
  'PIPELINE_SLUG',
  'PIPELINE_NAME',
  'PIPELINE_ID',
  'ORGANIZATION_SLUG',
  'TRIGGERED_FROM_BUILD_PIPELINE_SLUG',
  'REPO',
  'PULL_REQUEST',
  'PULL_REQUEST_BASE_BRANCH',
  'PULL_REQUEST_REPO',
  'MERGE_QUEUE_BASE_BRANCH',
  'MERGE_QUEUE_BASE_COMMIT',
].map((name) => `BUILDKITE_${name}`);

/**
 * The environment stored steps are interpolated with: of the standard variables those known in time, then the build's
 * own. A standard variable cannot be replaced by one's own.
 */
export function definitionEnvironment(
  standard: Record<string, string>,
  own: Record<string, string>,
): Record<string, string> {
  const known = Object.entries(standard).filter(([name]) => definitionVariables.includes(name));
  return { ...own, ...Object.fromEntries(known) };
}

/**
 * Interpolates a definition as read, before it is parsed: keys and values of every string, first the top-level `env`
 * (in order, each variable visible to the next and to everything after), then the rest. Signatures stay as they are,
 * numbers and flags too. Escaped `$$` becomes `$`, also in conditions. With `preferEnvironment` a variable of
 * `environment` wins over one of the same name in the definition.
 * @throws InterpolationError
 */
export function interpolateDefinition(
  document: Json,
  environment: Record<string, string>,
  options: { preferEnvironment?: boolean } = {},
): Json {
  const visible: Record<string, string> = Object.assign(Object.create(null), environment);
  const interpolator = new Interpolator(visible);
  if (!isObject(document)) return interpolator.value(document);
  const { env, ...rest } = document;
  if (!isObject(env)) return interpolator.value(document);
  const ownEnv: [string, Json][] = [];
  for (const [key, item] of Object.entries(env)) {
    const name = interpolator.text(key);
    const value = interpolator.value(item);
    ownEnv.push([name, value]);
    const text = value === null ? '' : scalarText(value);
    if (text !== undefined && !(options.preferEnvironment && name in visible)) visible[name] = text;
  }
  return { env: Object.fromEntries(ownEnv), ...(interpolator.value(rest) as JsonObject) };
}

/** Interpolates the texts of one definition, which together may only grow so far. */
class Interpolator {
  private length = 0;

  constructor(private readonly env: Readonly<Record<string, string>>) {}

  text(text: string): string {
    const result = interpolate(text, this.env);
    this.length += result.length;
    if (this.length > limitOf('definitionBytes'))
      throw new InterpolationError(
        `The interpolated definition is longer than ${limitOf('definitionBytes')} characters`,
      );
    return result;
  }

  value(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      this.text(key),
      key === 'signature' && isObject(item) ? item : this.value(item),
    ]);
    return Object.fromEntries(entries);
  }
}
