import { Command } from 'commander';
import { print } from './output.js';

/** `slipway schema`: the documents of both surfaces. */
export function schemaCommand(): Command {
  return new Command('schema')
    .description('Print the GraphQL schema, or the OpenAPI document of /v2.')
    .option('--openapi', 'print the OpenAPI 3.1 document of /v2 (JSON)')
    .option('--json', 'print the GraphQL schema as an introspection result')
    .action(printSchema);
}

/** The server the committed document names: the default of HOST and PORT. */
const documentedServer = 'http://127.0.0.1:3000';

async function printSchema(options: { openapi?: boolean; json?: boolean }): Promise<void> {
  if (options.openapi) {
    const { openApiDocument } = await import('../rest/openapi.js');
    await print(true, openApiDocument(documentedServer), '');
    return;
  }
  if (options.json) {
    const { buildSchema } = await import('../graphql/server/schema.js');
    const { introspectionFromSchema } = await import('graphql');
    await print(true, introspectionFromSchema(await buildSchema()), '');
    return;
  }
  const { printSchemaText } = await import('../graphql/server/schema.js');
  await print(false, null, await printSchemaText());
}
