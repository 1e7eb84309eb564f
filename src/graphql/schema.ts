import 'reflect-metadata';
import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { buildSchema as build } from 'type-graphql';
import type { GraphqlContext } from './context.js';
import { resolvers, typesWithoutResolver } from './resolvers.js';

let built: Promise<GraphQLSchema> | undefined;

/** The executable schema: built once a process, out of the classes of this folder. */
export function buildSchema(): Promise<GraphQLSchema> {
  built ??= build({ resolvers, orphanedTypes: typesWithoutResolver, validate: false }).then(announceMutations);
  return built;
}

/** Makes every mutation tell the context of its request that it begins, so that none can forget its idempotency key. */
function announceMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source: unknown, given, context: GraphqlContext, info): unknown => {
      context.enterMutation(String(info.path.key));
      return resolve(source, given, context, info);
    };
  }
  return schema;
}
