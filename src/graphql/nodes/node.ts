import type { GraphQLResolveInfo } from 'graphql';
import { Field, FieldResolver, ID, Info, InterfaceType, Resolver, Root } from 'type-graphql';
import { Reads } from '../execution/reads.js';
import { encodeNodeId, type NodeKind, nodeKinds } from '../../domain/node-id.js';

/**
 * Type names of the rows that `node(id:)` returns: a plain row has no type, and only that field returns rows of every
 * kind.
 */
const typeNames = new WeakMap<object, string>();

/** Records the type of a row that a field returns as a `Node`. */
export function asNode<Row extends object>(typeName: string, row: Row): Row {
  typeNames.set(row, typeName);
  return row;
}

/** The type name that {@link asNode} recorded for a row; unions of many kinds resolve by this name. */
export const nodeTypeOf = (row: object): string | undefined => typeNames.get(row);

@InterfaceType({ description: 'Object with a GraphQL ID.', resolveType: nodeTypeOf })
export abstract class Node {
  @Field(() => ID, { description: 'GraphQL ID, unique among all objects.' })
  id!: string;
}

const kinds: ReadonlySet<string> = new Set(nodeKinds);

/** The kind in the ids of a type; all jobs share one kind, and so do all their events. */
function kindOf(typeName: string): NodeKind {
  if (typeName.startsWith('JobType')) return 'Job';
  if (typeName.startsWith('JobEvent')) return 'JobEvent';
  if (typeName === 'SuiteRun') return 'Run';
  if (typeName === 'Secret') return 'ClusterSecret';
  if (kinds.has(typeName)) return typeName as NodeKind;
  throw new Error(`objects of type ${typeName} have no GraphQL IDs`);
}

@Resolver(() => Node)
export class NodeResolver {
  @Reads<{ id: string }>('id')
  @FieldResolver(() => ID)
  id(@Root() row: { id: string }, @Info() info: GraphQLResolveInfo): string {
    return encodeNodeId(kindOf(info.parentType.name), row.id);
  }
}
