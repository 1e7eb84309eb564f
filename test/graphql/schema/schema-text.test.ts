import { readFileSync, writeFileSync } from 'node:fs';
import { printSchemaText } from '../../../src/graphql/server/schema.js';

test('schema.graphql equals the schema of the code; UPDATE_SCHEMA=1 rewrites the file', async () => {
  const text = await printSchemaText();
  if (process.env['UPDATE_SCHEMA']) writeFileSync('schema.graphql', text);
  expect(readFileSync('schema.graphql', 'utf8')).toBe(text);
});
