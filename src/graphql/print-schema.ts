import { lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchema } from './schema.js';

/** The schema as SDL, sorted, so that it changes only where the schema does: `schema.graphql`, and what `slipway schema` prints. */
export async function printSchemaText(): Promise<string> {
  return `${printSchema(lexicographicSortSchema(await buildSchema())).trimEnd()}\n`;
}
