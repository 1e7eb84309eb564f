import { providerSettingTypes } from '../../domain/integrations/provider-settings.js';
import {
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  reference,
  type Schema,
  text,
} from './schema.js';

/** Settings of all source providers; each provider takes some of them. */
export const providerSettings = object(
  {},
  {
    ...Object.fromEntries(
      Object.entries(providerSettingTypes()).map(([name, type]) => [
        name,
        described(
          type === 'boolean' ? boolean : nullable(text),
          Array.isArray(type) ? `Setting \`${name}\`: ${type.join(', ')}.` : `Setting \`${name}\`.`,
        ),
      ]),
    ),
    repository: described(text, 'Repository as the provider names it, such as `owner/name`; set by the server.'),
  },
);

const visualStep = object(
  { type: described(enumOf('script', 'waiter', 'manual', 'trigger'), 'Type of the step.') },
  {
    name: described(nullable(text), 'Label of a command step.'),
    label: described(nullable(text), 'Label of a block or trigger step.'),
    command: described(nullable(text), 'Commands of a command step, separated by newlines.'),
    artifact_paths: described(nullable(text), 'Patterns of the files to upload, separated by semicolons.'),
    branch_configuration: described(nullable(text), 'Branches that the step runs for, as patterns.'),
    env: described(mapOf(text), 'Environment variables of a command step.'),
    timeout_in_minutes: described(nullable(integer), 'Minutes after which a job of the step is canceled.'),
    agent_query_rules: described(arrayOf(text), 'Rules as `key=value` that an agent must match.'),
    concurrency: described(nullable(integer), 'Number of jobs of the concurrency group that run at once.'),
    concurrency_group: described(nullable(text), 'Name of the concurrency group.'),
    parallelism: described(nullable(integer), 'Number of parallel jobs of the step.'),
    trigger_project_slug: described(nullable(text), 'Slug of the pipeline that a trigger step builds.'),
    trigger_commit: described(nullable(text), 'Commit of the triggered build.'),
    trigger_branch: described(nullable(text), 'Branch of the triggered build.'),
    trigger_async: described(nullable(boolean), 'Whether the build continues without waiting for the triggered build.'),
  },
);

/**
 * Types of body fields whose rules the operation itself holds, by the noun of the operation and the name of the field.
 */
export const bodyTypes: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  pipeline: { provider_settings: nullable(reference('ProviderSettings')), steps: nullable(arrayOf(visualStep)) },
};
