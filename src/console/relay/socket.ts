import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import { type GraphQLResponse, Observable, type RequestParameters, type Variables } from 'relay-runtime';
import { setSocketState } from './connection-state';
import { errorOf, GraphqlError } from './graphql-error';
import { goToSignIn } from './sign-in';

const longestPause = 30_000;
const closedAsSignedOut = new Set([4401, 4403]);

let client: Client | undefined;

function socket(): Client {
  client ??= createClient({
    url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
    lazyCloseTimeout: 5_000,
    keepAlive: 20_000,
    // A page left open over a weekend comes back on Monday: with pauses of 30 s this is four days.
    retryAttempts: 12_000,
    shouldRetry: (event) => !(event instanceof CloseEvent && closedAsSignedOut.has(event.code)),
    retryWait: (tries) =>
      new Promise((done) =>
        setTimeout(done, Math.min(longestPause, 500 * 2 ** Math.min(tries, 6)) * (0.75 + Math.random() / 2)),
      ),
    on: {
      connecting: (isRetry) => setSocketState(isRetry ? 'lost' : 'connecting'),
      connected: () => setSocketState('live'),
      closed: (event) => {
        const { code } = event as CloseEvent;
        if (closedAsSignedOut.has(code)) goToSignIn();
        setSocketState(code === 1000 ? 'idle' : 'lost');
      },
    },
  });
  return client;
}

/**
 * A subscription over graphql-ws. After a break it continues behind the last cursor received: the payload that the
 * client sends again is given the cursor as `after`, so nothing is missed and nothing told twice.
 */
export function subscribeOverSocket(request: RequestParameters, variables: Variables): Observable<GraphQLResponse> {
  return Observable.create((sink) => {
    const payload: { -readonly [Key in keyof SubscribePayload]: SubscribePayload[Key] } = {
      operationName: request.name,
      query: request.text ?? '',
      variables: { ...variables },
    };
    const fail = (error: Error) => {
      // The connection stands, and would be called live, while the session of the person has ended.
      if (error instanceof GraphqlError && error.code === 'UNAUTHENTICATED') goToSignIn();
      sink.error(error);
    };
    return socket().subscribe(payload, {
      next: (result) => {
        if (result.errors?.length && !result.data) {
          fail(errorOf(result.errors as unknown as { message: string }[]));
          return;
        }
        const [update] = Object.values((result.data ?? {}) as Record<string, { cursor?: string } | null>);
        if (update?.cursor) payload.variables = { ...payload.variables, after: update.cursor };
        sink.next(result as GraphQLResponse);
      },
      error: (problem) => fail(asError(problem)),
      complete: () => sink.complete(),
    });
  });
}

function asError(problem: unknown): Error {
  if (Array.isArray(problem)) return errorOf(problem as { message: string }[]);
  return problem instanceof Error ? problem : new GraphqlError('The live connection ended', 'OFFLINE');
}
