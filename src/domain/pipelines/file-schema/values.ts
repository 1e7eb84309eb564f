import { limits } from '../../limits/limits.js';
import { stepLimits } from '../../limits/step-limits.js';

/** A part of a JSON schema of draft 7, which editors read. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema with a sentence that editors show beside an attribute. */
export const described = (description: string, schema: Schema): Schema => ({ description, ...schema });

export const text: Schema = { type: 'string' };
export const scalar: Schema = { type: ['string', 'number', 'boolean'] };
export const flag: Schema = { enum: [true, false, 'true', 'false'] };
export const anyMap: Schema = { type: 'object' };
export const anyOf = (...members: Schema[]): Schema => ({ anyOf: members });
export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
export const oneOf = (...words: readonly unknown[]): Schema => ({ enum: words });
/** A whole number, which a variable may stand for until a build replaces it. */
export const integer = (bounds: Schema = {}): Schema =>
  anyOf({ type: 'integer', ...bounds }, { type: 'string', pattern: '^\\s*[-+]?\\d+\\s*$|\\$' });
export const mapOf = (additionalProperties: Schema): Schema => ({ type: 'object', additionalProperties });
/** A map of these attributes and no others. */
export const mapWith = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
export const orList = (schema: Schema): Schema => anyOf(schema, listOf(schema));
export const orNull = (schema: Schema): Schema => anyOf(schema, { type: 'null' });

export const env = described('Environment variables; numbers and booleans become text.', mapOf(orNull(scalar)));
export const agents = described(
  'Tags that an agent must have: a map, or a list of `key=value`. `queue` names the queue.',
  anyOf(mapOf(scalar), listOf(text)),
);
export const secrets = described(
  'Secrets of the cluster that the jobs get: a list of names, or a map of variables to names.',
  anyOf(listOf(anyOf(text, mapWith({ key: text, environment_variable: text }, ['key']))), mapOf(text)),
);
export const image = described('Container image that agents of a stack run the jobs in.', orNull(text));
export const priority = described('Priority of the jobs; jobs with a higher number are dispatched first.', integer());
export const cache = described(
  'Paths that agents cache between builds.',
  anyOf(
    text,
    listOf(text),
    mapWith({ paths: orList(text), size: { type: 'string', pattern: '^\\d+g$' }, name: text }, ['paths']),
  ),
);
export const checkout = described('How agents check the repository out.', anyMap);
export const notify = described(
  `Notifications: at most ${limits.notifyEntries}, each with an optional \`if\`.`,
  listOf(anyOf(text, anyMap)),
);
export const ifChanged = described(
  'Globs of files; the agent that uploads the step leaves it out unless one of them has changed.',
  anyOf(orList(text), mapWith({ include: orList(text), exclude: orList(text) }, ['include'])),
);
export const skip = described(
  'Whether to skip the step, or why.',
  anyOf(flag, { type: 'string', maxLength: stepLimits.skipReasonLength }),
);
const exitStatus = anyOf(oneOf('*'), integer());
export const softFail = described(
  'Whether a failure lets the build pass: true, or exit statuses.',
  anyOf(flag, orList(anyOf(exitStatus, mapWith({ exit_status: orList(exitStatus) })))),
);

const retryRule = mapWith({
  exit_status: orList(exitStatus),
  limit: integer({ minimum: 0, maximum: stepLimits.retryLimit }),
  signal: orList(text),
  signal_reason: orList(text),
});
export const retry = described(
  'Retries of failed jobs: `automatic` by rules, `manual` by people.',
  mapWith({
    automatic: anyOf(flag, orList(retryRule)),
    manual: anyOf(flag, mapWith({ allowed: flag, permit_on_passed: flag, reason: text })),
  }),
);

const matrixValue: Schema = { type: ['string', 'integer', 'boolean'] };
export const matrix = described(
  'Values for each of which the step has a job; `{{matrix}}` or `{{matrix.name}}` stands for them.',
  anyOf(
    listOf(matrixValue),
    mapWith(
      {
        setup: anyOf(listOf(matrixValue), mapOf(listOf(matrixValue))),
        adjustments: listOf(
          {
            ...mapWith(
              { with: anyOf(matrixValue, listOf(matrixValue), mapOf(matrixValue)), skip, soft_fail: softFail },
              ['with'],
            ),
          },
          { maxItems: stepLimits.matrixAdjustments },
        ),
      },
      ['setup'],
    ),
  ),
);
export const plugins = described(
  'Plugins as `name#version`, with their settings.',
  anyOf(listOf(anyOf(text, anyMap)), anyMap),
);
