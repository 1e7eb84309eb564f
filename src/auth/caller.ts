import type { Actor } from './actor.js';

/** Key of a caller in queues that are fair to callers: a user, an organization's agents, or a suite. */
export function callerOf(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return `user ${actor.userId}`;
    case 'agent':
      return `agents ${actor.agent.organizationId}`;
    case 'registration':
      return `agents ${actor.organizationId}`;
    case 'suite':
      return `suite ${actor.suiteId}`;
    default:
      return actor.kind;
  }
}
