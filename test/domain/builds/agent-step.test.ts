import fc from 'fast-check';
import { agentStep } from '../../../src/domain/builds/agent-step.js';
import { parsePipeline } from '../../../src/domain/pipelines/steps/parse.js';
import type { CommandStep, Json } from '../../../src/domain/pipelines/steps/step.js';

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
const anything = fc.oneof(value, fc.dictionary(fc.string(), value));

const isText = (item: unknown) => typeof item === 'string';
const isTextOrAbsent = (item: unknown) => item === undefined || typeof item === 'string';
const isFlagOrAbsent = (item: unknown) => item === undefined || typeof item === 'boolean';

test('agents can decode every step, whatever its author wrote', () => {
  fc.assert(
    fc.property(
      fc.record({
        command: fc.oneof(fc.string(), fc.array(fc.string())),
        label: value,
        env: fc.dictionary(fc.string(), value),
        secrets: fc.oneof(fc.constant(null), fc.array(fc.string()), fc.dictionary(fc.string(), fc.string())),
        cache: anything,
        checkout: fc.oneof(
          fc.constant(null),
          fc.record({ skip: anything, submodules: anything, flags: anything, sparse: anything }, { requiredKeys: [] }),
        ),
      }),
      (written) => {
        const parsed = parsePipeline({ steps: [{ ...written, type: 'command' }] } as Json);
        if (!parsed.ok) return;
        const step = agentStep(parsed.definition.steps[0] as CommandStep) as Record<string, never>;
        expect(Object.values(step)).not.toContain(null);
        expect([step['command'], step['label'], step['key']].every(isTextOrAbsent)).toBe(true);
        expect(Object.values<Json>(step['env'] ?? {}).every(isText)).toBe(true);
        expect((step['secrets'] as Json[] | undefined)?.length).not.toBe(0);
        const cache = step['cache'] as Json | undefined;
        const paths = typeof cache === 'object' && !Array.isArray(cache) ? cache?.['paths'] : cache;
        expect(paths === undefined || paths === false || (Array.isArray(paths) && paths.every(isText))).toBe(true);
        const checkout = (step['checkout'] ?? {}) as Record<string, Json>;
        expect([checkout['skip'], checkout['submodules']].every(isFlagOrAbsent)).toBe(true);
        expect(Object.values(checkout['flags'] ?? {}).every(isText)).toBe(true);
      },
    ),
  );
});
