import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { OrganizationRetention, PipelineRetention } from '../../domain/retention/policy.js';
import { arrayOf, boolean, described, integer, nullable, object, type Schema, text } from '../openapi/schema.js';

const days = described(integer, 'Days; younger ones are kept.');
const count = described(integer, 'Number of newest builds that are kept. With `days`, both must allow a deletion.');
const rule = object({}, { days, count });
const kinds: Record<string, Schema> = {
  builds: described(rule, 'Builds with all that belongs to them; `{}` keeps all.'),
  logs: described(rule, 'Logs; their jobs stay.'),
  artifacts: described(rule, 'Bytes of artifacts, which stay with the state `expired`.'),
};

const override = object(
  { branches: described(text, 'Patterns of branches, separated by spaces.') },
  {
    ...kinds,
    last: described(boolean, 'False: the last builds of a branch may go too.'),
  },
);

/** The policy of a pipeline; kinds that it does not name are as the organization has them. */
export const pipelineRetentionSchema = nullable(
  object(
    {},
    {
      ...kinds,
      overrides: described(arrayOf(override), 'Rules for some branches; the first one that matches counts.'),
    },
  ),
);

const age = object({}, { days });

/** The policy of an organization; kinds that it does not name are as the environment has them. */
export const organizationRetentionSchema = nullable(
  object(
    {},
    {
      ...kinds,
      runs: described(age, 'Runs of test suites.'),
      audit: described(age, 'Audit events.'),
    },
  ),
);

/** A policy as it is stored. */
export const presentRetention = (policy: PipelineRetention | OrganizationRetention | null) =>
  policy as JsonObject | null;
