import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { pipelineFileSchema } from '../../../src/domain/pipelines/file-schema/pipeline-file.js';
import { stepKinds } from '../../../src/domain/pipelines/file-schema/steps.js';
import { readDocument } from '../../../src/domain/pipelines/steps/document.js';
import { parsePipeline } from '../../../src/domain/pipelines/steps/parse.js';
import type { Json } from '../../../src/domain/pipelines/steps/step.js';
import { describeWithVectors, vectorsDir } from '../../support/vectors.js';

const accepts = new Ajv({ allErrors: false, strict: false }).compile(pipelineFileSchema);
/** The document of a file with its aliases and merges resolved; null for a template that is no YAML yet. */
function read(folder: string, file: string): Json {
  const result = readDocument(readFileSync(resolve(vectorsDir, folder, file), 'utf8'));
  return result.ok ? result.document : null;
}

describe('the JSON schema of pipeline files', () => {
  test.each<[Json, boolean]>([
    [{ steps: [{ command: 'make', timeout_in_minutes: 5 }] }, true],
    [{ steps: [{ command: 'make', timeout_in_minute: 5 }] }, false],
    [{ steps: [{ command: 'make', agent: { queue: 'a' } }] }, false],
    [{ steps: [{ command: 'make', retry: { automatc: true } }] }, false],
    [{ steps: [{ command: 'make', retry: { automatic: [{ exit_status: '*', limit: 2 }] } }] }, true],
    [{ steps: ['wait', { block: 'Go?', fields: [{ text: 'Why', key: 'why' }] }] }, true],
    [{ steps: [{ group: 'G', steps: [{ group: 'H', steps: ['wait'] }] }] }, false],
    [['wait'], true],
    [{ common: { a: 1 }, steps: null }, true],
    [{ agents: {} }, false],
  ])('%j: %s', (file, valid) => {
    expect(accepts(file)).toBe(valid);
  });

  test.each(['command', 'wait', 'block', 'input', 'trigger'])(
    'the reader reads every attribute that a %s step has in the schema',
    (kind) => {
      // The last form of a step is the one whose kind its attribute `type` says.
      const { properties = {} } = (stepKinds[`${kind}Step`]?.['anyOf'] as { properties?: object }[]).at(-1) ?? {};
      const names = Object.keys(properties).filter((name) => name !== 'type');
      expect(names).toContain('depends_on');
      const unread: string[] = [];
      // Null is accepted, and ends the reading of none.
      const attributes = Object.fromEntries(names.map((name) => [name, null]));
      parsePipeline({ steps: [{ ...attributes, type: kind }] }, { onUnknown: ({ name }) => unread.push(name) });
      expect(unread).toEqual([]);
    },
  );
});

describeWithVectors('the JSON schema of pipeline files and public ones', () => {
  test('accepts every file that the public schema has as valid', () => {
    const folder = 'pipelines/schema/valid';
    const refused = readdirSync(resolve(vectorsDir, folder)).filter((file) => !accepts(read(folder, file)));
    expect(refused).toEqual([]);
  });

  test('accepts public pipelines, apart from attributes that nothing reads', () => {
    const folder = 'pipelines/real';
    const refused = readdirSync(resolve(vectorsDir, folder)).filter((file) => {
      const document = read(folder, file);
      let unread = 0;
      const result = parsePipeline(document, { onUnknown: () => (unread += 1), pendingVariables: true });
      return result.ok && unread === 0 && !accepts(document);
    });
    expect(refused).toEqual([]);
  });
});
