import { Environment, Network, RecordSource, Store, VIEWER_ID, VIEWER_TYPE } from 'relay-runtime';
import { fetchGraphql } from './fetch-graphql';
import { subscribeOverSocket } from './socket';

/** Pages left behind that are still there at once when one goes back. */
const pagesKept = 20;

/**
 * Kinds of objects whose id is that of the thing that they tell about, as it was then: an event of the audit log may
 * call an organization by a name that it no longer has, and must not rename it.
 */
const ofTheirEvent = new Set(['AuditActor', 'AuditSubject']);

/** The key of an object in the store; nothing for one that belongs to the object around it. */
function keyOf({ id }: { id?: string }, type: string): string | undefined {
  if (ofTheirEvent.has(type)) return undefined;
  return type === VIEWER_TYPE ? (id ?? VIEWER_ID) : id;
}

export const environment = new Environment({
  getDataID: keyOf,
  network: Network.create(fetchGraphql, subscribeOverSocket),
  store: new Store(new RecordSource(), { gcReleaseBufferSize: pagesKept }),
});
