import { readFileSync, writeFileSync } from 'node:fs';
import { printSchemaText } from '../../src/graphql/print-schema.js';

test('schema.graphql is what the code says; UPDATE_SCHEMA=1 writes it', async () => {
  const text = await printSchemaText();
  if (process.env['UPDATE_SCHEMA']) writeFileSync('schema.graphql', text);
  expect(readFileSync('schema.graphql', 'utf8')).toBe(text);
});
