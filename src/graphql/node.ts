import type { GraphQLResolveInfo } from 'graphql';
import { Field, FieldResolver, ID, Info, InterfaceType, Resolver, Root } from 'type-graphql';
import { encodeNodeId, type NodeKind, nodeKinds } from '../domain/node-id.js';

/**
 * Rows that `node(id:)` found, with the name of their type: a plain row does not know what it is, and only this one
 * field gives out rows of every kind.
 */
const found = new WeakMap<object, string>();

/** Remembers the type of a row that is about to be given out as a `Node`. */
export function asNode<Row extends object>(typeName: string, row: Row): Row {
  found.set(row, typeName);
  return row;
}

/** What {@link asNode} remembered of a row; unions of many kinds resolve by it. */
export const nodeTypeOf = (row: object): string | undefined => found.get(row);

@InterfaceType({ description: 'A thing with an id of its own.', resolveType: nodeTypeOf })
export abstract class Node {
  @Field(() => ID, { description: 'The id, unique among all things.' })
  id!: string;
}

const kinds: ReadonlySet<string> = new Set(nodeKinds);

/** The kind that stands in the ids of a type: all jobs share one, and all their events. */
function kindOf(typeName: string): NodeKind {
  if (typeName.startsWith('JobType')) return 'Job';
  if (typeName.startsWith('JobEvent')) return 'JobEvent';
  if (typeName === 'SuiteRun') return 'Run';
  if (typeName === 'Secret') return 'ClusterSecret';
  if (kinds.has(typeName)) return typeName as NodeKind;
  throw new Error(`things of type ${typeName} have no node ids`);
}

@Resolver(() => Node)
export class NodeResolver {
  @FieldResolver(() => ID)
  id(@Root() row: { id: string }, @Info() info: GraphQLResolveInfo): string {
    return encodeNodeId(kindOf(info.parentType.name), row.id);
  }
}
