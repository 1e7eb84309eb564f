import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';

/** Every member of a type with its description: the type, its fields, their arguments, its input fields and values. */
function membersOf(type: GraphQLNamedType): [name: string, description: string | null | undefined][] {
  const members: [string, string | null | undefined][] = [[type.name, type.description]];
  if (isObjectType(type) || isInterfaceType(type))
    for (const field of Object.values(type.getFields())) {
      members.push([`${type.name}.${field.name}`, field.description]);
      for (const arg of field.args) members.push([`${type.name}.${field.name}(${arg.name})`, arg.description]);
    }
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields()))
      members.push([`${type.name}.${field.name}`, field.description]);
  if (isEnumType(type))
    for (const value of type.getValues()) members.push([`${type.name}.${value.name}`, value.description]);
  return members;
}

function allMembers(schema: GraphQLSchema): [string, string | null | undefined][] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap(membersOf);
}

describe('descriptions of the GraphQL schema', () => {
  test('every type, field, argument, input field and enum value has a description', async () => {
    const undescribed = allMembers(await buildSchema()).filter(([, description]) => !description?.trim());
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  test('no description starts with a pronoun or an empty word in place of the object', async () => {
    const vague = /^(What|Who|Whoever|When|Where|How|Why|Its|It|Those)\b/;
    const described = allMembers(await buildSchema()).filter(([, description]) => vague.test(description ?? ''));
    expect(described.map(([name, description]) => `${name}: ${description}`)).toEqual([]);
  });
});
