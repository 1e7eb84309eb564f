import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { limits } from '../../domain/limits/limits.js';
import { defaultPageSize } from '../connections/arguments.js';
import { KeptText, type ReplyCost } from '../execution/kept-text.js';

export interface CostedOperation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  variables: Readonly<Record<string, unknown>>;
}

/**
 * Most fields that the estimate visits: nested fragments multiply, and a document above this counts as too expensive.
 */
const patience = 100_000;

/**
 * Estimates the points of an operation before it runs. Scalars and enums are free. An object costs 1, multiplied by the
 * page size of each connection around it (500 if none is given). A connection and its edges cost 1 each. Fields with
 * the decorator of `dear.ts` cost extra points. Returns Infinity for a document with too many fields to visit.
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

  private sum(
    sets: readonly SelectionSetNode[],
    type: GraphQLObjectType,
    cost: (fields: FieldNode[]) => number,
  ): number {
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
    if (!field || !definition) return 0;
    const extra = pointsOf(definition);
    if (isLeafType(getNamedType(definition.type))) return extra;
    const type = getNamedType(definition.type);
    const sets = fields.flatMap((each) => each.selectionSet ?? []);
    if (isObjectType(type) && type.name.endsWith('Connection'))
      return extra + 1 + this.connection(sets, type, this.pageSize(field, parent));
    return extra + 1 + this.dearest(sets, type);
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

  /** Returns the highest cost of a selection over the possible types of an abstract type. */
  private dearest(sets: readonly SelectionSetNode[], type: ReturnType<typeof getNamedType>): number {
    if (isObjectType(type)) return this.selections(sets, type);
    if (!isAbstractType(type)) return 0;
    return Math.max(0, ...this.costed.schema.getPossibleTypes(type).map((possible) => this.selections(sets, possible)));
  }

  private pageSize(field: FieldNode, parent: GraphQLObjectType): number {
    const definition = parent.getFields()[field.name.value];
    const { first, last } = definition ? getArgumentValues(definition, field, this.costed.variables) : {};
    const size = [first, last].find((value) => typeof value === 'number') ?? defaultPageSize;
    return Math.max(0, size);
  }

  /** Returns the fields of a selection by response key, merged like execution merges them. */
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
    const target = typeFromAST(this.costed.schema, condition);
    if (target === type) return true;
    return isCompositeType(target) && isAbstractType(target) && this.costed.schema.isSubType(target, type);
  }

  private included(node: Parameters<typeof getDirectiveValues>[1]): boolean {
    const { variables } = this.costed;
    if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
  }
}

/** Returns the extra points of a field (`dear.ts`). */
function pointsOf({ extensions }: { extensions: Readonly<Record<string, unknown>> }): number {
  const { points } = extensions;
  return typeof points === 'number' ? points : 0;
}

/** Multiplies; an empty page costs 0 even if the cost is Infinity. */
const times = (size: number, cost: number) => (size === 0 ? 0 : size * cost);

/**
 * Returns what a reply's data hold: objects by the rule of `requestedCost`; `edges` contains the response keys of
 * `edges` fields.
 */
export function costOf(data: unknown, edges: ReadonlySet<string>): ReplyCost {
  const cost = { objects: 0, characters: 0 };
  addCost(cost, data, edges);
  return cost;
}

/**
 * Returns the points of a reply: its objects and the extra points of its expensive fields, or, for one of few objects
 * with long texts, a point for each `graphqlPointCharacters` of its texts.
 */
export const actualPoints = ({ objects, characters }: ReplyCost, charged: number): number =>
  Math.max(objects + charged, Math.ceil(characters / limits.graphqlPointCharacters));

function addCost(cost: ReplyCost, data: unknown, edges: ReadonlySet<string>): void {
  if (typeof data === 'string') cost.characters += data.length;
  if (!isObject(data)) return;
  if (data instanceof KeptText) {
    cost.objects += data.cost.objects;
    cost.characters += data.cost.characters;
    return;
  }
  for (const key in data) {
    const value = (data as Record<string, unknown>)[key];
    if (typeof value === 'string') cost.characters += value.length;
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      const ofEdges = edges.has(key);
      cost.objects += ofEdges ? 1 : 0;
      for (const item of value as unknown[]) {
        cost.objects += ofEdges || !isObject(item) ? 0 : 1;
        addCost(cost, item, edges);
      }
    } else if (isObject(value)) {
      cost.objects += 1;
      addCost(cost, value, edges);
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the response keys of a document's `edges` fields. */
export function edgeKeys(costed: Pick<CostedOperation, 'operation' | 'fragments'>): Set<string> {
  const keys = new Set<string>();
  const visit = (set: SelectionSetNode) => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD && selection.name.value === 'edges')
        keys.add(selection.alias?.value ?? 'edges');
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet) visit(selection.selectionSet);
    }
  };
  visit(costed.operation.selectionSet);
  for (const fragment of Object.values(costed.fragments)) visit(fragment.selectionSet);
  return keys;
}
