import {
  type FieldNode, type FragmentDefinitionNode, getNamedType, GraphQLIncludeDirective, type GraphQLObjectType, type GraphQLSchema,
  GraphQLSkipDirective, getArgumentValues, getDirectiveValues, isAbstractType, isCompositeType, isLeafType, isObjectType, Kind,
  type OperationDefinitionNode, type SelectionSetNode, typeFromAST,
} from 'graphql';
import { defaultPageSize } from '../connections/arguments.js';

export interface CostedOperation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  variables: Readonly<Record<string, unknown>>;
}

/** Fields looked at before a document counts as too expensive whatever its sum: nested fragments multiply. */
const patience = 100_000;

/**
 * The points of an operation before it runs (graphql-facts 1.11): scalars and enums are free, every object is 1, times
 * the page size of each connection around it; a connection and its edges are 1 each. A missing page size is 500.
 * Infinity for documents that take too long to measure.
 */
export function requestedCost(costed: CostedOperation): number {
  const root = costed.schema.getRootType(costed.operation.operation);
  if (!root) return 0;
  return new Measure(costed).selections([costed.operation.selectionSet], root);
}

class Measure {
  private looks = 0;

  constructor(private readonly costed: CostedOperation) {}

  selections(sets: readonly SelectionSetNode[], type: GraphQLObjectType): number {
    return this.sum(sets, type, (fields) => this.field(fields, type));
  }

  private sum(sets: readonly SelectionSetNode[], type: GraphQLObjectType, cost: (fields: FieldNode[]) => number): number {
    let total = 0;
    for (const fields of this.collect(sets, type).values()) total += cost(fields);
    return total;
  }

  private field(fields: FieldNode[], parent: GraphQLObjectType): number {
    const [field] = fields;
    const definition = field && parent.getFields()[field.name.value];
    this.looks += 1;
    if (this.looks > patience) return Infinity;
    // Introspection is free: it reads nothing.
    if (!field || !definition || isLeafType(getNamedType(definition.type))) return 0;
    const type = getNamedType(definition.type);
    const sets = fields.flatMap((each) => each.selectionSet ?? []);
    if (isObjectType(type) && type.name.endsWith('Connection')) return 1 + this.connection(sets, type, this.pageSize(field, parent));
    return 1 + this.dearest(sets, type);
  }

  private connection(sets: readonly SelectionSetNode[], type: GraphQLObjectType, size: number): number {
    return this.sum(sets, type, (fields) => {
      const [field] = fields;
      const inner = fields.flatMap((each) => each.selectionSet ?? []);
      const definition = field && type.getFields()[field.name.value];
      if (!field || !definition || isLeafType(getNamedType(definition.type))) return 0;
      const items = getNamedType(definition.type);
      if (field.name.value === 'edges' && isObjectType(items)) return 1 + times(size, this.selections(inner, items));
      if (field.name.value === 'nodes') return times(size, 1 + this.dearest(inner, items));
      return this.field(fields, type);
    });
  }

  /** What a selection costs on the type that makes it dearest: which one it will be is not known yet. */
  private dearest(sets: readonly SelectionSetNode[], type: ReturnType<typeof getNamedType>): number {
    if (isObjectType(type)) return this.selections(sets, type);
    if (!isAbstractType(type)) return 0;
    return Math.max(0, ...this.costed.schema.getPossibleTypes(type).map((possible) => this.selections(sets, possible)));
  }

  private pageSize(field: FieldNode, parent: GraphQLObjectType): number {
    const definition = parent.getFields()[field.name.value];
    const { first, last } = definition ? getArgumentValues(definition, field, this.costed.variables) : {};
    const size = typeof first === 'number' ? first : typeof last === 'number' ? last : defaultPageSize;
    return Math.max(0, size);
  }

  /** The fields of a selection by the name they answer under, as execution merges them. */
  private collect(sets: readonly SelectionSetNode[], type: GraphQLObjectType): Map<string, FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const visit = (set: SelectionSetNode) => {
      for (const selection of set.selections) {
        if (!this.included(selection)) continue;
        if (selection.kind === Kind.FIELD) {
          const name = selection.alias?.value ?? selection.name.value;
          fields.set(name, [...(fields.get(name) ?? []), selection]);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          if (!selection.typeCondition || this.applies(selection.typeCondition, type)) visit(selection.selectionSet);
        } else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = this.costed.fragments[selection.name.value];
          if (fragment && this.applies(fragment.typeCondition, type)) visit(fragment.selectionSet);
        }
      }
    };
    sets.forEach(visit);
    return fields;
  }

  private applies(condition: FragmentDefinitionNode['typeCondition'], type: GraphQLObjectType): boolean {
    const wanted = typeFromAST(this.costed.schema, condition);
    if (wanted === type) return true;
    return isCompositeType(wanted) && isAbstractType(wanted) && this.costed.schema.isSubType(wanted, type);
  }

  private included(node: Parameters<typeof getDirectiveValues>[1]): boolean {
    const { variables } = this.costed;
    if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
  }
}

/** Nothing times anything is nothing, also for what could not be measured. */
const times = (size: number, cost: number) => (size === 0 ? 0 : size * cost);

/** The points of what was really given out, counted by the same rule; `edges` names every key that held a list of edges. */
export function actualCost(data: unknown, edges: ReadonlySet<string>): number {
  if (typeof data !== 'object' || data === null) return 0;
  let total = 0;
  for (const [key, value] of Object.entries(data)) {
    if (Array.isArray(value)) {
      const ofEdges = edges.has(key);
      total += ofEdges ? 1 : 0;
      for (const item of value as unknown[]) total += actualCost(item, edges) + (ofEdges || !isObject(item) ? 0 : 1);
    } else if (isObject(value)) total += 1 + actualCost(value, edges);
  }
  return total;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The keys under which a document's `edges` fields answer. */
export function edgeKeys(costed: Pick<CostedOperation, 'operation' | 'fragments'>): Set<string> {
  const keys = new Set<string>();
  const visit = (set: SelectionSetNode) => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD && selection.name.value === 'edges') keys.add(selection.alias?.value ?? 'edges');
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet) visit(selection.selectionSet);
    }
  };
  visit(costed.operation.selectionSet);
  for (const fragment of Object.values(costed.fragments)) visit(fragment.selectionSet);
  return keys;
}
