import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildSchema, parse, validate } from 'graphql';

/** Writes the typed client of every document in operations/ into generated/; throws where one does not fit the schema. */
export async function generateClient(schemaText) {
  const schema = buildSchema(schemaText);
  const documents = readdirSync('operations').sort().map((name) => {
    const rawSDL = readFileSync(join('operations', name), 'utf8');
    return { location: join('operations', name), rawSDL, document: parse(rawSDL) };
  });
  const whole = { kind: 'Document', definitions: documents.flatMap(({ document }) => document.definitions) };
  const errors = validate(schema, whole);
  if (errors.length > 0) throw new Error(`the documents do not fit the schema:\n${errors.map(({ message }) => `  ${message}`).join('\n')}`);
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'generated/',
    schema: parse(schemaText),
    schemaAst: schema,
    config: { scalars: { DateTime: 'string', JSON: 'string', YAML: 'string', JSInt: 'number' }, useTypeImports: true, nonOptionalTypename: true, emitLegacyCommonJSImports: false },
    documents,
    plugins: [],
    pluginMap: {},
    presetConfig: { fragmentMasking: false },
  });
  for (const section of sections) {
    const text = await codegen(section);
    mkdirSync(dirname(section.filename), { recursive: true });
    writeFileSync(section.filename, text);
  }
  return documents.length;
}
