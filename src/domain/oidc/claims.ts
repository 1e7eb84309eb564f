import type { Json, JsonObject } from '../pipelines/steps/step.js';

/** The running job that a token is about. */
export interface IdentityFacts {
  organization: { id: string; slug: string };
  pipeline: { id: string; slug: string };
  build: { id: string; number: number; branch: string; tag: string | null; commit: string; source: string };
  stepKey: string | null;
  jobId: string;
  agent: { id: string; metaData: readonly string[] };
  cluster: { id: string; name: string } | null;
  queue: { id: string; key: string } | null;
}

export interface ClaimRequest {
  /** Names of optional claims. */
  claims: readonly string[];
  /** Names of claims that become session tags of AWS. */
  awsSessionTags: readonly string[];
  /** Name of the claim whose value is the subject; null for the compound one. */
  subjectClaim: string | null;
}

/** Claims that every token has. */
const standard = {
  organization_slug: ({ organization }: IdentityFacts) => organization.slug,
  pipeline_slug: ({ pipeline }: IdentityFacts) => pipeline.slug,
  build_number: ({ build }: IdentityFacts) => build.number,
  build_branch: ({ build }: IdentityFacts) => build.branch,
  build_tag: ({ build }: IdentityFacts) => build.tag,
  build_commit: ({ build }: IdentityFacts) => build.commit,
  build_source: ({ build }: IdentityFacts) => build.source,
  step_key: ({ stepKey }: IdentityFacts) => stepKey,
  job_id: ({ jobId }: IdentityFacts) => jobId,
  agent_id: ({ agent }: IdentityFacts) => agent.id,
  runner_environment: () => 'self-hosted',
};

/** Claims that a token has if its job asks for them; null where the job has none. */
const optional = {
  organization_id: ({ organization }: IdentityFacts) => organization.id,
  pipeline_id: ({ pipeline }: IdentityFacts) => pipeline.id,
  build_id: ({ build }: IdentityFacts) => build.id,
  cluster_id: ({ cluster }: IdentityFacts) => cluster?.id ?? null,
  cluster_name: ({ cluster }: IdentityFacts) => cluster?.name ?? null,
  queue_id: ({ queue }: IdentityFacts) => queue?.id ?? null,
  queue_key: ({ queue }: IdentityFacts) => queue?.key ?? null,
};

/** Claims that cannot change while the thing exists, so that they may be a subject. */
const immutable = ['organization_id', 'pipeline_id', 'build_id', 'cluster_id', 'queue_id', 'job_id', 'agent_id'];

const agentTag = /^agent_tag:(.+)$/;

export const claimNames = [...Object.keys(standard), ...Object.keys(optional)];

export type ClaimResult = { ok: true; subject: string; claims: JsonObject } | { ok: false; message: string };

/**
 * Returns the subject and the claims of a token about a job; every value is what the server knows, never what a job
 * says.
 */
export function identityClaims(facts: IdentityFacts, request: ClaimRequest): ClaimResult {
  const unknown = [...request.claims, ...request.awsSessionTags].find((name) => valueOf(facts, name) === undefined);
  if (unknown !== undefined)
    return {
      ok: false,
      message: `The claim "${unknown}" is not supported; it can be ${claimNames.join(', ')} or agent_tag:NAME`,
    };
  const subject = subjectOf(facts, request.subjectClaim);
  if (subject === null)
    return {
      ok: false,
      message: `The claim "${request.subjectClaim}" cannot be the subject; it can be ${immutable.join(', ')}`,
    };
  const claims: JsonObject = {};
  for (const name of [...Object.keys(standard), ...request.claims]) claims[name] = valueOf(facts, name) ?? null;
  const tags = request.awsSessionTags.flatMap((name): [string, Json][] => {
    const value = valueOf(facts, name) ?? null;
    return value === null ? [] : [[name, [String(value)]]];
  });
  if (tags.length > 0) claims['https://aws.amazon.com/tags'] = { principal_tags: Object.fromEntries(tags) };
  return { ok: true, subject, claims };
}

/** The value of a claim, null where the job has none; undefined for an unknown claim. */
function valueOf(facts: IdentityFacts, name: string): string | number | null | undefined {
  const tag = agentTag.exec(name)?.[1];
  if (tag !== undefined)
    return facts.agent.metaData.find((each) => each.startsWith(`${tag}=`))?.slice(tag.length + 1) ?? null;
  const known: Record<string, (facts: IdentityFacts) => string | number | null> = { ...standard, ...optional };
  return Object.hasOwn(known, name) ? known[name]?.(facts) : undefined;
}

function subjectOf(facts: IdentityFacts, claim: string | null): string | null {
  if (claim !== null) {
    const value = immutable.includes(claim) ? valueOf(facts, claim) : null;
    return value === null || value === undefined ? null : String(value);
  }
  const { organization, pipeline, build, stepKey } = facts;
  const ref = build.tag === null ? `refs/heads/${build.branch}` : `refs/tags/${build.tag}`;
  return `organization:${organization.slug}:pipeline:${pipeline.slug}:ref:${ref}:commit:${build.commit}:step:${stepKey ?? ''}`;
}
