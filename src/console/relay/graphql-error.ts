/** One refused field of an operation's input. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** Reply of /graphql without data. `code` is the code of the problem, or `OFFLINE`, `HTTP` or `INTERNAL`. */
export class GraphqlError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly fields: readonly FieldProblem[] = [],
  ) {
    super(message);
    this.name = 'GraphqlError';
  }
}

interface ErrorPayload {
  message: string;
  extensions?: { code?: string; fields?: unknown };
}

/** Makes an error of the `errors` of a reply; the first decides. */
export function errorOf(errors: readonly ErrorPayload[]): GraphqlError {
  const first = errors[0];
  const message = first?.message ?? 'The server gave no reason';
  return new GraphqlError(message, first?.extensions?.code ?? 'INTERNAL', fieldProblems(first?.extensions?.fields));
}

function fieldProblems(value: unknown): FieldProblem[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const { field, path, message, code } = (item ?? {}) as Record<string, unknown>;
      const name = field ?? path;
      return typeof name === 'string' ? [{ field: name, message: String(message ?? code ?? '') }] : [];
    });
  }
  if (value && typeof value === 'object') {
    return Object.entries(value).map(([field, message]) => ({ field, message: String(message) }));
  }
  return [];
}
