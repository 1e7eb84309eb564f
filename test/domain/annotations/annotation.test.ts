import fc from 'fast-check';
import { type AnnotationContent, annotationStyles, type AnnotationWords, writeAnnotation } from '../../../src/domain/annotations/annotation.js';
import { emojiOf, emojis, withEmoji } from '../../../src/domain/emoji.js';

const there: AnnotationContent = { style: 'error', priority: 8, body: 'old' };
const words = (said: Partial<AnnotationWords>): AnnotationWords => ({ style: null, priority: null, body: 'new', append: false, ...said });

describe('what an annotation holds after it was written to [api-v2:504,506,569]', () => {
  test.each<[string, AnnotationContent | null, Partial<AnnotationWords>, AnnotationContent]>([
    ['a new one, with the least', null, {}, { style: null, priority: 3, body: 'new' }],
    ['a new one, with all', null, { style: 'info', priority: 1 }, { style: 'info', priority: 1, body: 'new' }],
    ['a new one by appending', null, { append: true }, { style: null, priority: 3, body: 'new' }],
    ['one replaced', there, {}, { style: null, priority: 3, body: 'new' }],
    ['one replaced with all', there, { style: 'info', priority: 1 }, { style: 'info', priority: 1, body: 'new' }],
    ['one added to', there, { append: true }, { style: 'error', priority: 8, body: 'oldnew' }],
    ['one added to, in other looks', there, { append: true, style: 'success', priority: 1 }, { style: 'success', priority: 1, body: 'oldnew' }],
    ['the looks alone', there, { body: '', style: 'success' }, { style: 'success', priority: 8, body: 'old' }],
    ['the looks alone, by appending nothing', there, { body: '', append: true, priority: 2 }, { style: 'error', priority: 2, body: 'old' }],
  ])('%s', (_what, before, said, after) => expect(writeAnnotation(before, words(said), 3)).toEqual(after));

  test('of any number of appends nothing is lost', () => {
    const said = fc.record({ style: fc.option(fc.constantFrom(...annotationStyles)), priority: fc.option(fc.integer({ min: 1, max: 10 })), body: fc.string() });
    fc.assert(
      fc.property(fc.array(said, { minLength: 1 }), (all) => {
        const after = all.reduce<AnnotationContent | null>((before, each) => writeAnnotation(before, { ...each, append: true }, 3), null);
        expect(after?.body).toBe(all.map(({ body }) => body).join(''));
        expect(after?.style).toBe(all.findLast(({ style }) => style !== null)?.style ?? null);
      }),
    );
  });
});

describe('emoji', () => {
  test('every name and alias is that of one emoji, and is put in its place', () => {
    const names = emojis.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[\w+-]+$/.test(name))).toEqual([]);
    for (const name of names) expect(withEmoji(`a :${name}: b`)).toBe(`a ${emojiOf(name)?.text} b`);
  });

  test('texts without names stay as they are', () => {
    const text = fc.array(fc.constantFrom(':', '::', ' ', 'word', '12', 'no-name', '\n', 'é')).map((parts) => parts.join(''));
    fc.assert(fc.property(text, (written) => expect(withEmoji(written)).toBe(written)));
  });
});
