import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** A scalar that is plain text with a meaning of its own. */
function textScalar(
  name: string,
  description: string,
  specifiedByURL: string | null = null,
): GraphQLScalarType<string, string> {
  const read = (value: unknown) => {
    if (typeof value === 'string') return value;
    throw new GraphQLError(`${name} cannot represent a value that is not a string`);
  };
  return new GraphQLScalarType({
    name,
    description,
    specifiedByURL,
    serialize: read,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : null),
  });
}

export const Yaml = textScalar('YAML', 'A YAML document as text, verbatim.', 'https://yaml.org/spec/1.2.2/');
export const TeamSelector = textScalar(
  'TeamSelector',
  'The slug of a team; with a leading `!` everything but that team.',
);
export const PipelineSelector = textScalar(
  'PipelineSelector',
  'The slug of a pipeline; with a leading `!` everything but that pipeline.',
);
export const UserSelector = textScalar(
  'UserSelector',
  'The uuid of a user; with a leading `!` everything but that user.',
);
