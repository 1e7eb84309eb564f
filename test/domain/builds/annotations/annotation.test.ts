import fc from 'fast-check';
import {
  type AnnotationContent,
  annotationStyles,
  type AnnotationWords,
  writeAnnotation,
} from '../../../../src/domain/builds/annotations/annotation.js';
import { emojiOf, emojis, withEmoji } from '../../../../src/domain/installation/emoji.js';

const there: AnnotationContent = { style: 'error', priority: 8, body: 'old' };
const words = (said: Partial<AnnotationWords>): AnnotationWords => ({
  style: null,
  priority: null,
  body: 'new',
  append: false,
  ...said,
});

describe('writing to an annotation [api-v2:cnoool,hdeemd,kepnda]', () => {
  test.each<[string, AnnotationContent | null, Partial<AnnotationWords>, AnnotationContent]>([
    ['a new annotation with a body only', null, {}, { style: null, priority: 3, body: 'new' }],
    [
      'a new annotation with every field',
      null,
      { style: 'info', priority: 1 },
      { style: 'info', priority: 1, body: 'new' },
    ],
    ['a new annotation by appending', null, { append: true }, { style: null, priority: 3, body: 'new' }],
    ['an existing annotation', there, {}, { style: null, priority: 3, body: 'new' }],
    [
      'an existing annotation with every field',
      there,
      { style: 'info', priority: 1 },
      { style: 'info', priority: 1, body: 'new' },
    ],
    ['an appended body', there, { append: true }, { style: 'error', priority: 8, body: 'oldnew' }],
    [
      'an appended body with another style and priority',
      there,
      { append: true, style: 'success', priority: 1 },
      { style: 'success', priority: 1, body: 'oldnew' },
    ],
    ['a style without a body', there, { body: '', style: 'success' }, { style: 'success', priority: 8, body: 'old' }],
    [
      'a priority with an empty appended body',
      there,
      { body: '', append: true, priority: 2 },
      { style: 'error', priority: 2, body: 'old' },
    ],
  ])('the stored annotation is the expected one after writing %s', (_what, before, said, after) =>
    expect(writeAnnotation(before, words(said), 3)).toEqual(after),
  );

  test('appending any number of times loses no text', () => {
    const said = fc.record({
      style: fc.option(fc.constantFrom(...annotationStyles)),
      priority: fc.option(fc.integer({ min: 1, max: 10 })),
      body: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(said, { minLength: 1 }), (all) => {
        const after = all.reduce<AnnotationContent | null>(
          (before, each) => writeAnnotation(before, { ...each, append: true }, 3),
          null,
        );
        expect(after?.body).toBe(all.map(({ body }) => body).join(''));
        expect(after?.style).toBe(all.findLast(({ style }) => style !== null)?.style ?? null);
      }),
    );
  });
});

describe('emoji in text', () => {
  test('every emoji name and alias denotes one emoji and is replaced by it', () => {
    const names = emojis.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[\w+-]+$/.test(name))).toEqual([]);
    for (const name of names) expect(withEmoji(`a :${name}: b`)).toBe(`a ${emojiOf(name)?.text} b`);
  });

  test('texts without emoji names are unchanged', () => {
    const text = fc
      .array(fc.constantFrom(':', '::', ' ', 'word', '12', 'no-name', '\n', 'é'))
      .map((parts) => parts.join(''));
    fc.assert(fc.property(text, (written) => void expect(withEmoji(written)).toBe(written)));
  });
});
