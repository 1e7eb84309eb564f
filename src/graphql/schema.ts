import 'reflect-metadata';
import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { buildSchema as build, type PubSub } from 'type-graphql';
import type { GraphqlContext } from './context.js';
import { resolvers, typesWithoutResolver } from './resolvers.js';

/** Subscriptions bring their own streams (operations/live); the library only asks whether there is something to publish with. */
const pubSub: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('subscriptions follow streams of their own');
  },
};

let built: Promise<GraphQLSchema> | undefined;

/** The executable schema: built once a process, out of the classes of this folder. */
export function buildSchema(): Promise<GraphQLSchema> {
  built ??= build({ resolvers, orphanedTypes: typesWithoutResolver, validate: false, pubSub }).then(announceMutations);
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
