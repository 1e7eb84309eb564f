import { levelAllows, pipelineAccess, standing, type Access } from '../auth/authorize.js';
import { maintainsCluster } from '../auth/cluster-maintainers.js';
import type { Context } from '../context.js';
import { forbidden } from '../domain/problem.js';
import type { AgentRow, ArtifactRow, BuildRow, ClusterRow, JobRow, OrganizationRow, PipelineRow } from '../entities/database.js';
import type { PipelineAccessLevel } from '../entities/team-pipeline.js';

/**
 * What an operation acts on, found inside what the caller may see. The executor checks the operation's access
 * against it; a pipeline's subject carries the level the caller has on it.
 */
export interface Subject {
  /** A list over everything the caller may see has no one thing it is about. */
  everywhere?: true;
  organization?: OrganizationRow;
  pipeline?: PipelineRow;
  level?: PipelineAccessLevel;
  cluster?: ClusterRow;
}

export interface OrganizationSubject extends Subject {
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

/** Refuses with `forbidden` what the caller may see but may not do. */
export async function authorizeSubject(context: Context, subject: Subject, access: Access): Promise<void> {
  if (access === 'anyone' || access === 'authenticated' || subject.everywhere) return;
  if (access === 'internal') {
    if (context.actor.kind === 'user' || context.actor.kind === 'anonymous') throw forbidden();
    return;
  }
  const role = subject.organization ? standing(context.actor, subject.organization.id) : null;
  if (role === 'system') return;
  if (access === 'maintain') {
    const maintains = role === 'member' && subject.cluster && (await maintainsCluster(context.db, context.actor, subject.cluster.id));
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
    const level = subject.level ?? (await pipelineAccess(context.db, context.actor, subject.organization as OrganizationRow, subject.pipeline));
    if (!level || !levelAllows(level, access)) throw forbidden();
    return;
  }
  if (role === null) throw forbidden();
}
