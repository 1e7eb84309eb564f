import type { AgentRow } from '../entities/database.js';

export type OrganizationRole = 'admin' | 'member';

/**
 * A person, through an API token or a session of the console: rights are the meet of the token's scopes and
 * organizations and the user's live rights. A session has every scope in every organization of its user.
 */
export interface UserActor {
  kind: 'user';
  userId: string;
  /** Null for a session. */
  apiTokenId: string | null;
  /** Null for an API token. */
  sessionId: string | null;
  scopes: ReadonlySet<string>;
  /** `all`, or the ids of the organizations the token is good for. */
  organizations: 'all' | ReadonlySet<string>;
  /**
   * Organizations the user is a member of, at the time of the request, without the organizations that are closed to the
   * credential.
   */
  roles: ReadonlyMap<string, OrganizationRole>;
  /** Whether an API token has changed something within `limits.ownWritesMs`; its lists must show that. */
  wroteLately?: boolean;
}

/** ID of the credential that a user acts with: the same for each of its requests, and no other credential's. */
export const credentialOf = ({ apiTokenId, sessionId, userId }: UserActor): string => apiTokenId ?? sessionId ?? userId;

/** An agent with its session token, or a job on it with its job token. */
export interface AgentActor {
  kind: 'agent';
  agent: AgentRow;
  /** Set with a job token: the job and the attempt that the token belongs to. */
  job: { id: string; attempt: number } | null;
}

/** The holder of a registration token: may register agents and read metrics. */
export interface RegistrationActor {
  kind: 'registration';
  agentTokenId: string;
  organizationId: string;
  clusterId: string;
}

/**
 * A stack, which starts agents for jobs. It is no caller: it calls with a registration token and names itself in the
 * path.
 */
export interface StackActor {
  kind: 'stack';
  stackId: string;
}

/** The holder of a test suite's token: may upload results to it. */
export interface SuiteActor {
  kind: 'suite';
  suiteId: string;
  organizationId: string;
}

/** The product itself: background work, provisioning. */
export interface SystemActor {
  kind: 'system';
  cause: string;
  /**
   * Set for notifications of one pipeline's events: references to other pipelines are null unless every member may see
   * them.
   */
  audience?: { pipelineId: string };
}

export interface AnonymousActor {
  kind: 'anonymous';
}

/** The caller of a request without credentials. */
export const anonymous: AnonymousActor = { kind: 'anonymous' };

export type Actor = UserActor | AgentActor | RegistrationActor | SuiteActor | SystemActor | AnonymousActor;

/** Returns the columns by which audit rows name an actor. */
export function actorReference(actor: Actor): { actorType: 'user' | 'agent' | 'system'; actorId: string | null } {
  switch (actor.kind) {
    case 'user':
      return { actorType: 'user', actorId: actor.userId };
    case 'agent':
      return { actorType: 'agent', actorId: actor.agent.id };
    default:
      return { actorType: 'system', actorId: null };
  }
}

/** Returns the columns by which event rows name an actor. */
export const eventActor = (actor: Actor | StackActor) =>
  actor.kind === 'stack' ? { actorType: 'stack' as const, actorId: actor.stackId } : actorReference(actor);

/** Log fields that name an actor: its kind and, if it has one, its id. */
export function actorFields(actor: Actor): { actor: string; actor_id?: string } {
  switch (actor.kind) {
    case 'registration':
      return { actor: actor.kind, actor_id: actor.agentTokenId };
    case 'suite':
      return { actor: actor.kind, actor_id: actor.suiteId };
    default: {
      const { actorId } = actorReference(actor);
      return { actor: actor.kind, ...(actorId === null ? {} : { actor_id: actorId }) };
    }
  }
}
