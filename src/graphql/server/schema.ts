import 'reflect-metadata';
import {
  defaultFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchema as build, type PubSub } from 'type-graphql';
import type { GraphqlContext } from '../context.js';
import { countScalars } from '../execution/counted-execution.js';
import { resolvers, typesWithoutResolver } from '../resolvers.js';

/** Subscriptions read `src/event-stream`; the library only requires that an object of this type exists. */
const pubSub: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('subscriptions follow streams of their own');
  },
};

let built: Promise<GraphQLSchema> | undefined;

/** Returns the executable schema, built from the decorated classes once per process. */
export function buildSchema(): Promise<GraphQLSchema> {
  built ??= build({ resolvers, orphanedTypes: typesWithoutResolver, validate: false, pubSub }).then((schema) =>
    announceMutations(countScalars(describeRoots(schema))),
  );
  return built;
}

/**
 * The schema as SDL, sorted, so that the text changes only where the schema does: `schema.graphql` and `slipway
 * schema`.
 */
export async function printSchemaText(): Promise<string> {
  return `${printSchema(lexicographicSortSchema(await buildSchema())).trimEnd()}\n`;
}

/** Calls `enterMutation` before every mutation field, so that no resolver can miss its idempotency key. */
function announceMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source: unknown, args, context: GraphqlContext, info): unknown => {
      context.enterMutation(String(info.path.key));
      return resolve(source, args, context, info);
    };
  }
  return schema;
}

/** Describes the root types, for which TypeGraphQL has no option. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const describe = (root: GraphQLObjectType | null | undefined, description: string) => {
    if (root) root.description = description;
  };
  describe(schema.getQueryType(), 'Fields that read.');
  describe(schema.getMutationType(), 'Fields that change something; the fields of one request run one after another.');
  describe(schema.getSubscriptionType(), 'Fields that send every later change, over WebSocket or server-sent events.');
  return schema;
}
