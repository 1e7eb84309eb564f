import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expandStep } from '../../../../src/domain/pipelines/steps/expand.js';
import { parsePipeline } from '../../../../src/domain/pipelines/steps/parse.js';
import type {
  CommandStep,
  Json,
  ParseResult,
  PipelineDefinition,
  Step,
} from '../../../../src/domain/pipelines/steps/step.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../../support/vectors.js';
import { essentials, essentialsOfUpload, countUploadTypes, type UploadDocument } from './upload-projection.js';

interface Case {
  id: string;
  input: string;
  reference: UploadDocument | null;
  scriptJobs: number | null;
}

/** Definitions that this service refuses although the agent's parser, which checks less, reads them. */
const noSteps = 'steps: The definition has no "steps".';
const noType =
  'steps[0]: The step has no type: it needs one of command, commands, plugins, wait, waiter, block, input, manual, trigger, group.';
const usedKey = 'The key "setup" has already been used by another step in this build';
const badKey = 'may only contain letters, digits, and the characters _ - : . ,';
const refused: Record<string, string> = {
  // Fragments of the top of a document, shown without the required `steps`.
  ...Object.fromEntries(
    [
      '211',
      '268',
      '271',
      '272',
      '285',
      '298',
      '300',
      '301',
      '302',
      '303',
      '306',
      '310',
      '314',
      '320',
      '321',
      '322',
      '438',
      '449',
      '546',
    ].map((number) => [`docs-${number}`, noSteps]),
  ),
  // Fragments one below the other: read as one document, it has a key twice.
  'docs-183': ': The definition is not valid YAML: the key "command" is repeated at line 5, column 1.',
  // Steps of a label and `if_changed` only: the agent keeps them as unknown, the server refuses unknown kinds.
  ...Object.fromEntries(['241', '245', '246', '247'].map((number) => [`docs-${number}`, noType])),
  // Keys must be unique in the build, and have no spaces.
  'mig-049': `steps[1].steps[0].key: ${usedKey}`,
  'mig-058': `steps[0].key: The key "build-{{ matrix.version }}" ${badKey}`,
  'mig-105': `steps[1].key: The key "Stage Library" ${badKey}`,
  'mig-106': `steps[1].key: The key "Stage Library" ${badKey}`,
};

/**
 * Jobs where an adjustment names some dimensions only: here it adjusts every combination it matches, as its authors mean it
 * (`with: {pkg_arch: SKIP_FAKE_ARCH}, skip: true`); the count of the vectors lets such an adjustment match nothing.
 */
const otherJobCounts: Record<string, number> = {
  '066-buildkite-agent-pipeline-release-experimental-yml': 20,
  'mig-093': 17,
};

const applies = { branchMatches: () => true, conditionHolds: () => true };

function definitionOf(result: ParseResult): PipelineDefinition {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.definition;
}

function flat(steps: Step[]): Exclude<Step, { type: 'group' }>[] {
  return steps.flatMap((step) => (step.type === 'group' ? step.steps : [step]));
}

function withoutSource(definition: PipelineDefinition): Json {
  return JSON.parse(
    JSON.stringify(definition, (key, value: unknown) => (key === 'source' ? undefined : value)),
  ) as Json;
}

function assertCase({ id, input, reference, scriptJobs }: Case): void {
  const definition = definitionOf(parsePipeline(input));
  if (reference === null) throw new Error('the case has no reference');
  expect(essentials(definition)).toEqual(essentialsOfUpload(reference));
  // The agent's normal form of the same file means the same to us.
  expect(withoutSource(definitionOf(parsePipeline(reference as unknown as Json, { pendingVariables: true })))).toEqual(
    withoutSource(definition),
  );
  const commands = flat(definition.steps).filter((step): step is CommandStep => step.type === 'command');
  const jobs = commands.flatMap((step) => expandStep({ ...step, skip: false }, applies));
  if (scriptJobs !== null) expect(jobs.length).toBe(otherJobCounts[id] ?? scriptJobs);
}

function assertAll(cases: Case[]): void {
  test.each(cases.map((each) => [each.id, each] as const))(
    'the definition %s means the same as its reference, or is refused for a known reason',
    (id, each) => {
      const reason = refused[id];
      if (reason === undefined) assertCase(each);
      else expect(problemsOf(parsePipeline(each.input))).toContain(reason);
    },
  );
}

function problemsOf(result: ParseResult): string[] {
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

interface Entry {
  id: string;
  file: string;
  input: string;
  valid: boolean;
  reference_json: string | UploadDocument;
  reference_error?: string;
  script_jobs_if_all_steps_run: number;
  step_types: Record<string, number>;
}

function toCase(entry: Entry): Case {
  const reference =
    typeof entry.reference_json === 'string'
      ? readVectors<UploadDocument>(`pipelines/${entry.reference_json}`)
      : entry.reference_json;
  return { id: entry.id, input: entry.input, reference, scriptJobs: entry.script_jobs_if_all_steps_run ?? null };
}

describeWithVectors('real pipeline files', () => {
  const entries = vectorsPresent ? readVectors<Entry[]>('pipelines/real-index.json') : [];
  const withText = entries.map((entry) => ({
    ...entry,
    input: readFileSync(resolve(vectorsDir, 'pipelines', entry.file), 'utf8'),
  }));
  assertAll(withText.filter((entry) => entry.valid).map(toCase));

  test.each(withText.filter((entry) => !entry.valid).map((entry) => [entry.id, entry] as const))(
    'the file %s is refused as invalid YAML',
    (_id, entry) => {
      const result = parsePipeline(entry.input);
      expect(result.ok).toBe(false);
      expect(problemsOf(result).join()).toMatch(/not valid YAML/);
    },
  );

  test.each(withText.filter((entry) => entry.valid).map((entry) => [entry.id, entry] as const))(
    'the file %s has the expected numbers of step types',
    (_id, entry) => {
      expect(countUploadTypes(definitionOf(parsePipeline(entry.input)))).toEqual(entry.step_types);
    },
  );
});

describeWithVectors('examples of the documentation', () => {
  const { cases } = vectorsPresent ? readVectors<{ cases: Entry[] }>('pipelines/docs-examples.json') : { cases: [] };
  assertAll(cases.filter((entry) => entry.reference_json).map(toCase));

  test.each(cases.filter((entry) => !entry.reference_json).map((entry) => [entry.id, entry] as const))(
    'the example %s is refused',
    (_id, entry) => {
      expect(parsePipeline(entry.input).ok).toBe(false);
    },
  );
});

describeWithVectors('pipelines converted from other formats', () => {
  const { cases } = vectorsPresent
    ? readVectors<{ cases: Entry[] }>('pipelines/migration-snapshots.json')
    : { cases: [] };
  assertAll(cases.filter((entry) => entry.reference_json).map(toCase));
});
