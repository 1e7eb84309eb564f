import { stepLimits } from '../../limits/step-limits.js';
import * as values from './values.js';
import {
  anyOf,
  described,
  flag,
  integer,
  listOf,
  mapWith,
  oneOf,
  orList,
  orNull,
  type Schema,
  text,
} from './values.js';

const key: Schema = {
  type: 'string',
  maxLength: stepLimits.keyLength,
  pattern: '^[a-zA-Z0-9_\\-:${}.,]+$',
};

const dependency = mapWith({ step: text, allow_failure: flag }, ['step']);

const common = {
  key: described('Name of the step for other steps, unique in the build.', key),
  id: described('The same as `key`.', key),
  identifier: described('The same as `key`.', key),
  label: described('Label that people see; emoji such as `:rocket:` need quotes.', orNull(text)),
  name: described('The same as `label`.', orNull(text)),
  depends_on: described(
    'Keys of the steps that must have ended first.',
    orNull(anyOf(text, listOf(anyOf(text, dependency)), dependency)),
  ),
  allow_dependency_failure: described('Whether the step runs although a step before it has failed.', flag),
  if: described('Condition on the build, such as `build.branch == "main"`.', text),
  branches: described('Patterns of branches that the step runs for.', orList(text)),
  type: described('Kind of the step, where no other attribute says it.', text),
};

const optionalText = (description: string) => described(description, orNull(text));

const commandStep = {
  ...common,
  command: described('Commands of the job.', orNull(orList(text))),
  commands: described('The same as `command`.', orNull(orList(text))),
  plugins: values.plugins,
  agents: values.agents,
  agent_query_rules: values.agents,
  artifact_paths: described('Globs of files that the agent uploads after the command.', orNull(orList(text))),
  artifacts: described('The same as `artifact_paths`.', orNull(orList(text))),
  env: values.env,
  timeout_in_minutes: described('Minutes after which a job is canceled.', integer({ minimum: 1 })),
  timeout: described('The same as `timeout_in_minutes`.', integer({ minimum: 1 })),
  parallelism: described('Number of jobs that the step has.', integer({ minimum: 0 })),
  matrix: values.matrix,
  concurrency: described('Number of jobs of the concurrency group that run at once.', integer({ minimum: 1 })),
  concurrency_group: described('Name of the concurrency group, one in the organization.', {
    type: 'string',
    maxLength: stepLimits.concurrencyGroupLength,
  }),
  concurrency_method: described('Whether jobs of the group run in order.', oneOf('ordered', 'eager')),
  priority: values.priority,
  retry: values.retry,
  soft_fail: values.softFail,
  skip: values.skip,
  cancel_on_build_failing: described('Whether the jobs are canceled when the build starts to fail.', flag),
  image: values.image,
  secrets: values.secrets,
  notify: values.notify,
  cache: values.cache,
  checkout: values.checkout,
  signature: described('Signature of the step, computed by an agent.', values.anyMap),
  if_changed: values.ifChanged,
};

const field = anyOf(
  mapWith({ text, key: text, hint: text, required: flag, default: values.scalar, format: text }, ['key', 'text']),
  mapWith(
    {
      select: text,
      key: text,
      hint: text,
      required: flag,
      default: orList(values.scalar),
      multiple: flag,
      options: listOf(mapWith({ label: values.scalar, value: values.scalar, hint: text, required: flag }, ['value']), {
        minItems: 1,
      }),
    },
    ['key', 'options'],
  ),
);

const manualStep = {
  ...common,
  prompt: optionalText('Question that people are asked.'),
  submit: optionalText('Label of the button.'),
  fields: described('Fields that people fill; their values become meta-data.', listOf(field)),
  blocked_state: described('State of the build while it is blocked.', oneOf('passed', 'failed', 'running')),
  allowed_teams: described('Slugs or ids of the teams whose members may unblock the step.', orList(text)),
};

const triggerStep = {
  ...common,
  trigger: described('Slug of the pipeline to build.', text),
  async: described('Whether the build continues without waiting for the triggered build.', flag),
  build: described(
    'Attributes of the build to create.',
    mapWith({ message: text, branch: text, commit: text, env: values.env, meta_data: values.env }),
  ),
  parallelism: described('Number of builds that the step starts.', integer({ minimum: 0 })),
  skip: values.skip,
  soft_fail: values.softFail,
  if_changed: values.ifChanged,
};

const waitStep = {
  ...common,
  continue_on_failure: described('Whether the steps after it run although one before it failed.', flag),
};

const word = (name: string) => optionalText(`A ${name} step; the text is its label.`);

/** A step that the attribute `kind` names, also with its attributes inside: `{block: {prompt: …}}`. */
function step(properties: Record<string, Schema>, ...kinds: [string, ...string[]]): Schema {
  return anyOf(
    ...kinds.map((kind) => mapWith({ [kind]: properties[kind] ?? word(kind), ...properties }, [kind])),
    ...kinds.map((kind) => mapWith({ ...properties, [kind]: mapWith(properties) }, [kind])),
    mapWith({ ...properties, type: oneOf(...kinds) }, ['type']),
  );
}

const groupStep = (members: Schema): Schema =>
  mapWith(
    {
      ...common,
      group: optionalText('A group of steps; the text is its label.'),
      steps: described('Steps of the group.', listOf(members, { minItems: 1 })),
      notify: values.notify,
      skip: values.skip,
      if_changed: values.ifChanged,
    },
    ['steps'],
  );

/** Kinds of steps by name, for the definitions of the schema. */
export const stepKinds: Readonly<Record<string, Schema>> = {
  commandStep: step(commandStep, 'command', 'commands', 'plugins'),
  scriptStep: anyOf(
    mapWith({ ...commandStep, type: oneOf('script', 'command', 'commands') }, ['type']),
    mapWith({ ...commandStep, script: mapWith(commandStep) }, ['script']),
  ),
  waitStep: step(waitStep, 'wait', 'waiter'),
  blockStep: step(manualStep, 'block', 'manual'),
  inputStep: step(manualStep, 'input'),
  triggerStep: step(triggerStep, 'trigger'),
  wordStep: described('A step of one word.', oneOf('wait', 'waiter', 'block', 'input', 'manual')),
  groupStep: groupStep({ $ref: '#/definitions/plainStep' }),
};
