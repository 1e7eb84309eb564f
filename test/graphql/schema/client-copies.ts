import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  TypeInfo,
  typeFromAST,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Sources of a client: its copy of the schema, and the documents that it sends. */
export interface ClientCopy {
  name: string;
  schema: GraphQLSchema;
  documents: { name: string; document: DocumentNode }[];
}

/** Reads the `.graphql` files of a client, one of which is its copy of the schema. */
export function readClient(folder: string): ClientCopy {
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.graphql') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  const texts = files.map((path) => readFileSync(path, 'utf8'));
  const copy = texts.find((text) => /^type Query\b/m.test(text));
  if (copy === undefined) throw new Error(`${folder} has no copy of the schema`);
  const { definitions } = parse(texts.filter((text) => !/^(?:type|input|enum) /m.test(text)).join('\n'));
  const fragments = new Map(
    definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const documents = definitions
    .filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => ({ name: operation.name?.value ?? '', document: withFragments(operation, fragments) }));
  return { name: basename(folder), schema: buildSchema(copy, { assumeValid: true }), documents };
}

function withFragments(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const reached = new Map<string, FragmentDefinitionNode>();
  const spread = (node: OperationDefinitionNode | FragmentDefinitionNode) =>
    visit(node, {
      FragmentSpread: ({ name: { value } }) => {
        const fragment = fragments.get(value);
        if (!fragment || reached.has(value)) return;
        reached.set(value, fragment);
        spread(fragment);
      },
    });
  spread(operation);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...reached.values()] };
}

/**
 * What a document finds otherwise in our schema than in the client's copy: names that are missing, outputs that can be
 * null where the client counts on a value, types that it does not know, inputs that ask more of it.
 */
export function differencesFor({ schema: theirs }: ClientCopy, mine: GraphQLSchema, document: DocumentNode): string[] {
  const errors = validate(mine, document, specifiedRules, { maxErrors: 20 }).map(({ message }) => message);
  const found = new Set(errors);
  const info = new TypeInfo(theirs);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: ({ name }) => {
        const parent = info.getParentType();
        const field = info.getFieldDef();
        const own = parent && mine.getType(parent.name);
        if (!field || !own || !('getFields' in own) || name.value.startsWith('__')) return;
        const ownField = own.getFields()[name.value];
        const place = `${own.name}.${name.value}`;
        if (ownField && !answersAs(ownField.type as GraphQLOutputType, field.type))
          found.add(`${place} is ${String(ownField.type)} and not ${String(field.type)}`);
        if (ownField) for (const type of unknownTypes(mine, theirs, field.type)) found.add(`${place} can be a ${type}`);
      },
      VariableDefinition: ({ type }) => {
        const input = typeFromAST(theirs, type as never);
        if (input) addInputDifferences(found, mine, getNamedType(input).name, theirs, new Set());
      },
    }),
  );
  return [...found];
}

/** Whether a value of our type is one of theirs; scalars are compared by name where both schemas have them. */
function answersAs(mine: GraphQLType, theirs: GraphQLType): boolean {
  if (isNonNullType(theirs)) return isNonNullType(mine) && answersAs(mine.ofType, theirs.ofType);
  if (isNonNullType(mine)) return answersAs(mine.ofType, theirs);
  if (isListType(theirs)) return isListType(mine) && answersAs(mine.ofType, theirs.ofType);
  return !isListType(mine) && mine.name === theirs.name;
}

/** Object types that we can answer with and the client's copy has not there; generated clients fail on them. */
function unknownTypes(mine: GraphQLSchema, theirs: GraphQLSchema, type: GraphQLOutputType): string[] {
  const named = getNamedType(type);
  const own = mine.getType(named.name);
  if (!isAbstractType(named) || !isAbstractType(own)) return [];
  const known = new Set(theirs.getPossibleTypes(named).map(({ name }) => name));
  return mine
    .getPossibleTypes(own)
    .map(({ name }) => name)
    .filter((name) => !known.has(name));
}

/** Adds what our input type lacks or requires beyond theirs, and in the same way for the types of its fields. */
function addInputDifferences(
  found: Set<string>,
  mine: GraphQLSchema,
  name: string,
  theirs: GraphQLSchema,
  seen: Set<string>,
): void {
  const [own, other] = [mine.getType(name), theirs.getType(name)];
  if (seen.has(name) || isScalarType(other) || !own) return;
  seen.add(name);
  if (isEnumType(own) && isEnumType(other))
    for (const { name: value } of other.getValues()) if (!own.getValue(value)) found.add(`${name}.${value} is missing`);
  if (!isInputObjectType(own) || !isInputObjectType(other)) return;
  const fields = other.getFields();
  for (const field of Object.values(own.getFields()))
    if (isRequiredInputField(field) && !fields[field.name]) found.add(`${name}.${field.name} is required`);
  for (const field of Object.values(fields)) {
    const ownField = own.getFields()[field.name];
    if (!ownField) found.add(`${name}.${field.name} is missing`);
    else if (!answersAs(field.type, ownField.type))
      found.add(`${name}.${field.name} is ${String(ownField.type)} and not ${String(field.type)}`);
    addInputDifferences(found, mine, getNamedType(field.type).name, theirs, seen);
  }
}
