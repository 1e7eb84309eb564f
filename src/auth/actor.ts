import type { AgentRow } from '../entities/database.js';

export type OrganizationRole = 'admin' | 'member';

/** A person, through an API token: rights are the meet of the token's scopes and organizations and the user's live rights. */
export interface UserActor {
  kind: 'user';
  userId: string;
  apiTokenId: string;
  scopes: ReadonlySet<string>;
  /** `all`, or the ids of the organizations the token is good for. */
  organizations: 'all' | ReadonlySet<string>;
  /** Organizations the user is a member of, at the time of the request. */
  roles: ReadonlyMap<string, OrganizationRole>;
}

/** An agent with its session token, or a job on it with its job token. */
export interface AgentActor {
  kind: 'agent';
  agent: AgentRow;
  /** Set with a job token: the job and the attempt the token was given for. */
  job: { id: string; attempt: number } | null;
}

/** The holder of a registration token: may register agents and read metrics. */
export interface RegistrationActor {
  kind: 'registration';
  agentTokenId: string;
  organizationId: string;
  clusterId: string;
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
}

export interface AnonymousActor {
  kind: 'anonymous';
}

export type Actor = UserActor | AgentActor | RegistrationActor | SuiteActor | SystemActor | AnonymousActor;

/** How an actor is written into event and audit rows. */
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
