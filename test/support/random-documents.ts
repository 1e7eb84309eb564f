import fc from 'fast-check';
import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isRequiredArgument,
} from 'graphql';

type Pick = fc.GeneratorValue;

export interface RandomDocuments {
  schema: GraphQLSchema;
  /** Nesting of fields at most. */
  depth: number;
  /** Fields of one selection at most. */
  width: number;
  /** Arguments of a field as text, or null to leave it out. */
  argumentsOf(type: GraphQLObjectType | GraphQLCompositeType, field: GraphQLField<unknown, unknown>): string | null;
}

/** A document that a schema allows, by its look; whoever sends it must validate it all the same. */
export function randomDocument(pick: Pick, options: RandomDocuments): string {
  const { schema, width } = options;
  const fragments: string[] = [];

  // Only numbers are picked: the generator compares what it is given, and types lead to the whole schema.
  const below = (count: number): number => pick(fc.nat, Math.max(0, count - 1));
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const oneIn = (count: number): boolean => below(count) === 0;
  const some = <T>(values: readonly T[], least: number, most: number): T[] => {
    const left = [...values];
    const count = Math.min(left.length, least + below(most - least + 1));
    return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as T);
  };

  const condition = () =>
    oneIn(6) ? one([' @include(if: $yes)', ' @skip(if: $no)', ' @include(if: $no)', ' @skip(if: false)']) : '';

  function selection(type: GraphQLCompositeType, depth: number): string {
    const parts = [oneIn(4) ? '__typename' : ''];
    if ('getFields' in type) {
      const fields = some(Object.values(type.getFields()), 1, width);
      for (const field of fields) parts.push(fieldOf(type, field, depth), oneIn(8) ? fieldOf(type, field, depth) : '');
    }
    if (isAbstractType(type)) {
      for (const possible of some(schema.getPossibleTypes(type), 0, 4))
        parts.push(`... on ${possible.name}${condition()} ${selection(possible, depth)}`);
    } else if (oneIn(5)) parts.push(`...${condition()} ${selection(type, depth)}`);
    else if (oneIn(5)) {
      const name = `F${fragments.length}`;
      fragments.push('');
      fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} ${selection(type, depth - 1)}`;
      parts.push(`...${name}${condition()}`);
    }
    const text = parts.filter(Boolean).join(' ');
    return text === '' ? '{ __typename }' : `{ ${text} }`;
  }

  function fieldOf(parent: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, depth: number): string {
    const args = field.args.some(isRequiredArgument) || field.args.length > 0 ? options.argumentsOf(parent, field) : '';
    const type = getNamedType(field.type);
    if (args === null || (isCompositeType(type) && depth <= 0)) return '';
    const alias = oneIn(5) ? `${field.name}_${parent.name}: ` : '';
    const inner = isCompositeType(type) ? ` ${selection(type, depth - 1)}` : '';
    return `${alias}${field.name}${args}${condition()}${inner}`;
  }

  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  const operation = selection(root, options.depth);
  return ['query ($yes: Boolean = true, $no: Boolean!) ', operation, ...fragments].join('\n');
}
