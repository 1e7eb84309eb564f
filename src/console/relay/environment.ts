import { Environment, Network, RecordSource, Store } from 'relay-runtime';
import { fetchGraphql } from './fetch-graphql';
import { subscribeOverSocket } from './socket';

/** Pages left behind that are still there at once when one goes back. */
const pagesKept = 20;

export const environment = new Environment({
  network: Network.create(fetchGraphql, subscribeOverSocket),
  store: new Store(new RecordSource(), { gcReleaseBufferSize: pagesKept }),
});
