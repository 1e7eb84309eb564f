import type { GraphQLResponse, RequestParameters, Variables } from 'relay-runtime';
import { errorOf, GraphqlError } from './graphql-error';
import { goToSignIn } from './sign-in';

/** Longer than the 30 s the server gives an operation. */
const patience = 40_000;

interface Reply {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string; fields?: unknown } }[];
}

/** Sends one operation to /graphql with the session cookie. Throws a GraphqlError unless there is data. */
export async function fetchGraphql(request: RequestParameters, variables: Variables): Promise<GraphQLResponse> {
  const response = await send({ query: request.text, operationName: request.name, variables });
  if (response.status === 401) {
    goToSignIn();
    throw new GraphqlError('Signed out', 'UNAUTHENTICATED');
  }
  const reply = (await response.json().catch(() => null)) as Reply | null;
  if (!reply) throw new GraphqlError(`The server answered ${response.status}`, 'HTTP');
  // A mutation that was refused answers null; a query with one refused field still shows the rest.
  const empty = !reply.data || Object.values(reply.data).every((value) => value === null);
  if (reply.errors?.length && (empty || request.operationKind === 'mutation')) throw errorOf(reply.errors);
  return { data: reply.data } as GraphQLResponse;
}

async function send(body: object): Promise<Response> {
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new GraphqlError('The server cannot be reached', 'OFFLINE');
  }
}
