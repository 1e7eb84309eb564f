import fc from 'fast-check';
import { readEnvLines } from '../../../src/domain/pipelines/env-lines.js';

test.each<[string, string, string[]]>([
  ['lines', 'A=1\nB=2\r\n\n  \nC=', ['A=1', 'B=2', 'C=']],
  ['a quoted value', 'A="1"\n', ['A=1']],
  ['an empty quoted value', 'A=""', ['A=']],
  ['an equals sign in a quoted value', 'A="b=c"', ['A=b=c']],
  ['quotes and backslashes inside', String.raw`A="say \"hi\" C:\\new"`, [String.raw`A=say "hi" C:\new`]],
  ['line breaks and tabs inside', String.raw`A="1\n2\r\n\t3"`, ['A=1\n2\r\n\t3']],
  ['characters by number', String.raw`A="\x41\u00e9\U0001f680\ud83d\ude80"`, ['A=Aé🚀🚀']],
  ['white space after the quote', 'A="1" \t', ['A=1']],
  ['single quotes', "A='1'", ["A='1'"]],
  ['a quote that does not end', 'A="1', ['A="1']],
  ['a quote that ends early', 'A="1"2', ['A="1"2']],
  ['a last quote that is escaped', String.raw`A="1\"`, [String.raw`A="1\"`]],
  ['a quote inside a value', 'A=1"2"', ['A=1"2"']],
  ['no value', 'A', ['A']],
  ['no key', '="1"', ['=1']],
])('an environment as text is read line by line: %s', (_, text, items) => {
  expect(readEnvLines(text)).toEqual(items);
});

test('every value that a client quotes is read back as it was', () => {
  const quote = (value: string) =>
    [...value]
      .map((character) => {
        const number = (character.codePointAt(0) ?? 0).toString(16);
        if (character === '"' || character === '\\') return `\\${character}`;
        if (character < ' ' || character === '\x7f') return `\\x${number.padStart(2, '0')}`;
        if (/\p{Cf}/u.test(character))
          return character.length > 1 ? `\\U${number.padStart(8, '0')}` : `\\u${number.padStart(4, '0')}`;
        return character;
      })
      .join('');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 5 }), (values) => {
      const text = values.map((value, index) => `K${index}="${quote(value)}"\n`).join('');
      expect(readEnvLines(text)).toEqual(values.map((value, index) => `K${index}=${value}`));
    }),
  );
});
