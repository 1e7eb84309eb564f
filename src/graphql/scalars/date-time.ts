import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { formatTime, parseTime } from '../../domain/time.js';

function read(value: unknown): Date {
  const time = typeof value === 'string' ? parseTime(value) : null;
  if (time === null)
    throw new GraphQLError(
      `DateTime cannot represent ${JSON.stringify(value)}: expected an ISO 8601 time such as 2026-01-02T03:04:05Z`,
    );
  return time;
}

/**
 * Serialized with milliseconds and `Z`; accepts every ISO 8601 form (without a zone: UTC; a bare date: midnight UTC).
 */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  description: 'A point in time, ISO 8601 in UTC. Input without a zone is taken as UTC, a bare date as its midnight.',
  serialize: (value) => (value instanceof Date ? formatTime(value) : formatTime(read(value))),
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : null),
});
