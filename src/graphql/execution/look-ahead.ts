import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { readsOf } from './reads.js';
import type { DirectResolvers } from './resolvers.js';

type Nodes = readonly FieldNode[];
type Fields = ReadonlyMap<string, Nodes>;

/**
 * Finders of the columns that the nodes of planned connections are asked for, by the nodes of the connection's field.
 */
const finders = new WeakMap<Nodes, () => readonly string[] | null>();

/**
 * Returns the columns of its rows that a field with a connection is asked for; null if that is not known, and all of
 * them have to be read. Known it is only in planned queries, for nodes all of whose fields are columns, or methods that
 * say what they read.
 */
export function columnsOfNodes({ fieldNodes }: GraphQLResolveInfo): readonly string[] | null {
  return finders.get(fieldNodes)?.() ?? null;
}

/** Looks at what the fields of a planned query are asked for. */
export class LookAhead {
  constructor(
    private readonly planned: {
      schema: GraphQLSchema;
      fragments: Record<string, FragmentDefinitionNode>;
      variables: Record<string, unknown>;
    },
    private readonly resolvers: DirectResolvers,
  ) {}

  /** Has {@link columnsOfNodes} answer for a field of this type; nothing is looked at before somebody wants to know. */
  offer(nodes: Nodes, type: GraphQLObjectType): void {
    let columns: readonly string[] | null | undefined;
    finders.set(nodes, () => (columns === undefined ? (columns = this.ofConnection(nodes, type)) : columns));
  }

  private ofConnection(nodes: Nodes, type: GraphQLObjectType): readonly string[] | null {
    const columns = new Set<string>();
    const isKnown = this.each(this.fields(nodes, type), (name, inner) => {
      if (name === 'nodes') return this.ofItems(inner, type, name, columns);
      const edge = name === 'edges' && getNamedType(type.getFields()[name]?.type);
      // The other fields of a connection and of an edge are about the page, and read no more than lists read anyway.
      if (!edge || !isObjectType(edge)) return true;
      return this.each(
        this.fields(inner, edge),
        (field, items) => field !== 'node' || this.ofItems(items, edge, field, columns),
      );
    });
    return isKnown ? [...columns].sort() : null;
  }

  /** Adds the columns that are read of the objects behind a field; false if they are not known. */
  private ofItems(nodes: Nodes, parent: GraphQLObjectType, name: string, columns: Set<string>): boolean {
    const type = getNamedType(parent.getFields()[name]?.type);
    const types = this.typesOf(type);
    return types.every((each) =>
      this.each(this.fields(nodes, each), (field) => {
        if (field === TypeNameMetaFieldDef.name) return true;
        const direct = this.resolvers.field(each, field);
        const definition = each.getFields()[field];
        const reads = direct?.kind === 'property' ? [direct.name] : definition && readsOf(definition);
        for (const column of reads ?? []) columns.add(column);
        return Boolean(reads);
      }),
    );
  }

  private typesOf(type: GraphQLNamedType | undefined): readonly GraphQLObjectType[] {
    if (isAbstractType(type)) return this.planned.schema.getPossibleTypes(type);
    return isObjectType(type) ? [type] : [];
  }

  private each(fields: Fields, isKnown: (name: string, nodes: Nodes) => boolean): boolean {
    for (const nodes of fields.values()) if (!isKnown(nodes[0]?.name.value ?? '', nodes)) return false;
    return true;
  }

  private fields(nodes: Nodes, type: GraphQLObjectType): Fields {
    const { schema, fragments, variables } = this.planned;
    return collectSubfields(schema, fragments, variables, type, nodes);
  }
}
