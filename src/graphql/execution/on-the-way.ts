import { type FieldNode, getNamedType, type GraphQLResolveInfo, isAbstractType, isObjectType } from 'graphql';
import type { GraphQLNamedType, GraphQLObjectType } from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { Extensions } from 'type-graphql';
import type { Scope } from '../../domain/organizations/scopes.js';

/**
 * Names the operation that reads all a field shows. A token with the scope of that operation may select the field of an
 * object whose own scope it lacks. The field must show no other column of its object.
 */
export function ReadBy(operation: { readonly scope: Scope | null }): MethodDecorator {
  return Extensions({ readBy: operation.scope }) as MethodDecorator;
}

/** Scope of the operation that {@link ReadBy} names for a field; undefined without one, null for any token. */
export function scopeOfField({ extensions }: { extensions: Readonly<Record<string, unknown>> }) {
  return extensions['readBy'] as Scope | null | undefined;
}

/** Fields that name an object and say nothing else of it: replies about other things have them in ids and addresses. */
const identifiers: ReadonlySet<string> = new Set(['__typename', 'id', 'uuid', 'slug', 'number']);

/**
 * Fields of connections and their edges that lead to the objects of the list, and the fields that say nothing of them.
 */
const throughLists: ReadonlySet<string> = new Set(['edges', 'node', 'nodes']);
const ofPages: ReadonlySet<string> = new Set(['__typename', 'cursor', 'pageInfo']);

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType' | 'schema' | 'variableValues'>;

/** What is selected of an object. */
interface Selection {
  /** Whether a field is selected that the scope of the object guards. */
  guarded: boolean;
  /** Whether a field is selected that a scope of the caller allows by itself. */
  allowed: boolean;
}

/**
 * Whether a field is no more than the way to fields that the caller's scopes allow: of its object only identifiers and
 * fields with a scope of their own are selected, and the caller holds the scope of one of these.
 * @param typeNames types that the object may have, where the type of the field does not say it.
 */
export function isOnTheWay(
  info: Info,
  holds: (scope: Scope | null) => boolean,
  typeNames?: readonly string[],
): boolean {
  const type = getNamedType(info.returnType);
  const types = typeNames ? typeNames.map((name) => info.schema.getType(name)) : [type];
  const { guarded, allowed } = merge(types.map((each) => selectionOf(info, each, info.fieldNodes, holds)));
  return allowed && !guarded;
}

/**
 * Whether nothing is selected of a field's object but identifiers, the fields `shown`, and fields with a scope of their
 * own.
 */
export function isOnlyNamed(info: Info, shown: readonly string[]): boolean {
  let only = named.get(info.fieldNodes);
  if (only === undefined) {
    only = !selectionOf(info, getNamedType(info.returnType), info.fieldNodes, () => true, shown).guarded;
    named.set(info.fieldNodes, only);
  }
  return only;
}
/** Lists ask for each of their rows. The nodes of a field are the same array only within a plan, or an execution. */
const named = new WeakMap<readonly FieldNode[], boolean>();

function selectionOf(
  info: Info,
  type: GraphQLNamedType | undefined,
  nodes: readonly FieldNode[],
  holds: (scope: Scope | null) => boolean,
  shown: readonly string[] = [],
): Selection {
  if (isAbstractType(type))
    return merge(info.schema.getPossibleTypes(type).map((each) => selectionOf(info, each, nodes, holds, shown)));
  if (!isObjectType(type)) return { guarded: true, allowed: false };
  const fields = collectSubfields(info.schema, info.fragments, info.variableValues, type, nodes as FieldNode[]);
  const others = [...fields.values()].filter(([node]) => !shown.includes(node?.name.value ?? ''));
  return merge(others.map((each) => ofField(info, type, each, holds)));
}

function ofField(
  info: Info,
  parent: GraphQLObjectType,
  nodes: readonly FieldNode[],
  holds: (scope: Scope | null) => boolean,
): Selection {
  const name = nodes[0]?.name.value ?? '';
  const definition = parent.getFields()[name];
  const inner = () => selectionOf(info, getNamedType(definition?.type), nodes, holds);
  if (/(?:Connection|Edge)$/.test(parent.name))
    return throughLists.has(name) ? inner() : { guarded: !ofPages.has(name), allowed: false };
  if (identifiers.has(name)) return { guarded: false, allowed: false };
  const scope = definition && scopeOfField(definition);
  if (scope === undefined) return { guarded: true, allowed: false };
  if (holds(scope)) return { guarded: false, allowed: true };
  // It refuses what it shows by itself, unless it is on the way too.
  const { guarded, allowed } = inner();
  return { guarded: false, allowed: allowed && !guarded };
}

const merge = (selections: readonly Selection[]): Selection => ({
  guarded: selections.some(({ guarded }) => guarded),
  allowed: selections.some(({ allowed }) => allowed),
});
