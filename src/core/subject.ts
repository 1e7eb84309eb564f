import { levelAllows, pipelineAccess, standing, type Access } from '../auth/authorize.js';
import { maintainsCluster } from '../auth/cluster-maintainers.js';
import type { Context } from '../request/context.js';
import { forbidden } from '../domain/problem.js';
import type {
  AgentRow,
  ArtifactRow,
  BuildRow,
  ClusterRow,
  JobRow,
  OrganizationRow,
  PipelineRow,
} from '../entities/database.js';
import type { PipelineAccessLevel } from '../entities/organizations/team-pipeline.js';

// A subject's type contains the rows that each access is checked against, so an operation whose subject lacks them does
// not compile.

/**
 * Subject of an operation, found within what the caller may see. The executor checks the operation's access against it;
 * a pipeline's subject carries the caller's access level.
 */
export interface Subject {
  everywhere?: true;
  organization?: OrganizationRow;
  pipeline?: PipelineRow;
  level?: PipelineAccessLevel;
  cluster?: ClusterRow;
}

/** Subject of a list over everything the caller may see; its query checks each row. */
export interface EverywhereSubject extends Subject {
  everywhere: true;
}

export interface OrganizationSubject extends Subject {
  everywhere?: never;
  organization: OrganizationRow;
}

export interface PipelineSubject extends OrganizationSubject {
  pipeline: PipelineRow;
  level: PipelineAccessLevel;
}

export interface BuildSubject extends PipelineSubject {
  build: BuildRow;
}

export interface JobSubject extends BuildSubject {
  job: JobRow;
}

export interface ArtifactSubject extends JobSubject {
  artifact: ArtifactRow;
}

export interface AgentSubject extends OrganizationSubject {
  agent: AgentRow;
}

/**
 * Accesses that can be checked against every subject of a type; `never` for an access that none of its rows decides.
 */
export type AccessOf<S extends Subject> =
  | 'anyone'
  | 'authenticated'
  | 'internal'
  | ([S] extends [OrganizationSubject | EverywhereSubject] ? 'visible' : never)
  | ([S] extends [OrganizationSubject] ? 'member' | 'admin' : never)
  | ([S] extends [OrganizationSubject & { cluster: ClusterRow }] ? 'maintain' : never)
  | ([S] extends [PipelineSubject] ? 'build' | 'manage' : never);

/**
 * Throws `forbidden` where the caller may see the subject but lacks the access, and for every access that the subject
 * has no row to check against.
 */
export async function authorizeSubject(context: Context, subject: Subject, access: Access): Promise<void> {
  if (access === 'anyone' || access === 'authenticated') return;
  if (access === 'internal') {
    if (context.actor.kind === 'user' || context.actor.kind === 'anonymous') throw forbidden();
    return;
  }
  if (subject.everywhere) {
    if (access !== 'visible') throw forbidden();
    return;
  }
  const role = subject.organization ? standing(context.actor, subject.organization.id) : null;
  // A subject without an organization is refused too: nothing says who may act on it.
  if (role === null || !subject.organization) throw forbidden();
  if (role === 'system') return;
  if (access === 'maintain') {
    const maintains =
      role === 'member' && subject.cluster && (await maintainsCluster(context.db, context.actor, subject.cluster.id));
    if (role !== 'admin' && !maintains) throw forbidden();
    return;
  }
  if (access === 'admin') {
    if (role !== 'admin') throw forbidden();
    return;
  }
  if (access === 'member') {
    if (role !== 'admin' && role !== 'member') throw forbidden();
    return;
  }
  if (subject.pipeline) {
    const level =
      subject.level ?? (await pipelineAccess(context.db, context.actor, subject.organization, subject.pipeline));
    if (!level || !levelAllows(level, access)) throw forbidden();
    return;
  }
  if (access !== 'visible') throw forbidden();
}
