import fc from 'fast-check';
import {
  annotationsPerRequest,
  checkState,
  checkTextLength,
  cutText,
  externalIdOf,
  readAnnotations,
  readCheckOutput,
  readExternalId,
  shownOutput,
} from '../../../src/domain/integrations/check-run.js';
import { notifyRequests } from '../../../src/domain/integrations/notify.js';
import { statusOutcomes } from '../../../src/domain/integrations/status-outcome.js';

describe('the output of a check run', () => {
  test.each([
    ['github_check', [null, null]],
    [{ github_check: null }, [null, null]],
    [{ github_check: { name: 'lint', output: { title: 'T' } }, if: 'build.branch == "main"' }, ['lint', 'T']],
    [{ github_check: { name: '', output: { title: ' ' } } }, [null, null]],
    [{ github_check: { name: 3, output: 'text' } }, [null, null]],
  ])('of the notify entry %j is read', (entry, expected) => {
    const [check] = notifyRequests([entry]).checks;
    expect([check?.name, check?.output.title]).toEqual(expected);
    expect(check?.condition ?? null).toBe(typeof entry === 'object' && 'if' in entry ? entry.if : null);
  });

  test('is in the limits of GitHub, whatever the pipeline says, and no character is cut in halves', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((part) => part.repeat(10_000));
    fc.assert(
      fc.property(text, text, text, (title, summary, body) => {
        const output = readCheckOutput({ title, summary, text: body, annotations: [{}] });
        const shown = shownOutput(output, 'Build #1 passed');
        expect(shown.title.length).toBeLessThanOrEqual(255);
        expect(shown.summary.length).toBeLessThanOrEqual(checkTextLength);
        expect(shown.text?.length ?? 0).toBeLessThanOrEqual(checkTextLength);
        expect(shown.summary).toContain('An annotation is left out: annotations[0] has no path');
        for (const each of [shown.title, shown.summary, shown.text ?? '']) expect(each.isWellFormed()).toBe(true);
      }),
      { numRuns: 50 },
    );
    expect(cutText(`${'x'.repeat(9)}😀`, 10)).toBe('x'.repeat(9));
  });

  const good = { path: 'a.c', start_line: 1, end_line: 2, annotation_level: 'notice', message: 'm' } as const;
  test.each([
    [
      { ...good, end_line: undefined },
      { ...good, end_line: 1 },
    ],
    [{ ...good, start_column: 1, end_column: 2 }, good],
    [
      { ...good, end_line: 1, start_column: 1, end_column: 2 },
      { ...good, end_line: 1, start_column: 1, end_column: 2 },
    ],
    [
      { ...good, title: '', raw_details: 'd', colour: 'red' },
      { ...good, raw_details: 'd' },
    ],
    [{ ...good, path: '' }, 'annotations[0] has no path'],
    [{ ...good, end_line: 0 }, 'annotations[0] has no start_line and end_line, which are whole numbers'],
    [
      { ...good, annotation_level: 'error' },
      'annotations[0] has an annotation_level other than notice, warning and failure',
    ],
    [{ ...good, message: 3 }, 'annotations[0] has no message'],
    ['text', 'annotations[0] must be an object'],
  ])('takes the annotation %j as %j', (value, expected) => {
    const { annotations, problem } = readAnnotations([value] as never);
    expect(problem ?? annotations[0]).toEqual(expected);
  });

  test('has a thousand annotations at most', () => {
    const { annotations, problem } = readAnnotations(Array.from({ length: 1_001 }, () => good));
    expect([annotations.length, problem]).toEqual([1_000, 'annotations[1000] is beyond the 1000 of a check']);
    expect(annotationsPerRequest).toBe(50);
  });
});

test('every outcome has a state of GitHub, and a conclusion just where it is completed', () => {
  expect(
    Object.fromEntries(statusOutcomes.map((outcome) => [outcome, Object.values(checkState(outcome)).join(' ')])),
  ).toEqual({
    scheduled: 'queued',
    running: 'in_progress',
    failing: 'in_progress',
    passed: 'completed success',
    failed: 'completed failure',
    errored: 'completed cancelled',
    canceled: 'completed cancelled',
    skipped: 'completed neutral',
    not_run: 'completed skipped',
  });
});

test('the id of a check run names its build or step, and those of other Apps name none', () => {
  const id = '01a21642-dc0a-77b3-86e8-83aaf016c4ed';
  expect(readExternalId(externalIdOf('build', id))).toEqual({ kind: 'build', id });
  expect(readExternalId(externalIdOf('step', id))).toEqual({ kind: 'step', id });
  for (const other of [null, '', id, `slipway:job:${id}`, `slipway:build:${id} `, 'slipway:build:'])
    expect(readExternalId(other)).toBeNull();
});
