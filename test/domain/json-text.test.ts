import fc from 'fast-check';
import { parseJson, parseJsonObject } from '../../src/domain/json-text.js';

const membersOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"K${index}":1`).join()}}`;
const few = { depth: 3, values: 20, members: 5 };

describe('JSON of callers', () => {
  test('is what the parser reads, whatever it is, within the bounds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['members of one object', membersOf(5), null],
    ['members of several objects', `[${membersOf(5)},${membersOf(5)},{"a":${membersOf(4)}}]`, null],
    ['too many members', membersOf(6), 'An object of the request body has more than 5 members'],
    ['too many members inside', `[[${membersOf(6)}]]`, 'An object of the request body has more than 5 members'],
    ['too many after an inner object', '{"a":{},"b":[1,2],"c":{"d":1},"e":1,"f":1,"g":1}', 'more than 5 members'],
    ['commas and braces in texts', '{"a":"{,,,,,,,\\"[","b":",,,,,,"}', null],
    ['values of an array', `[${'1,'.repeat(18)}1]`, null],
    ['too many values of an array', `[${'1,'.repeat(19)}1]`, 'more than 20 values'],
    ['arrays in arrays', '[[[1]]]', null],
    ['too many levels', '[[[[1]]]]', 'nested more than 3 levels deep'],
    ['no JSON', ']},,{"', 'The request body is not valid JSON'],
  ])('%s', (_case, text, message) => {
    const parse = () => parseJson(text, few);
    if (message === null) expect(parse()).toEqual(JSON.parse(text));
    else expect(parse).toThrow(message);
  });

  test.each(['[]', '1', 'null', '"a"'])('%s is no object', (text) => {
    expect(() => parseJsonObject(text)).toThrow('The request body must be a JSON object');
  });
});
