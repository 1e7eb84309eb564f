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
import { otherJobCounts, refused } from './known-vectors.js';
import { essentials, essentialsOfUpload, countUploadTypes, type UploadDocument } from './upload-projection.js';

interface Case {
  id: string;
  input: string;
  reference: UploadDocument | null;
  scriptJobs: number | null;
}

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
