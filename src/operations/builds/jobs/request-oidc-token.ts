import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { agentAcceptedStates } from '../../../domain/builds/job-state.js';
import { limits } from '../../../domain/limits/limits.js';
import { identityClaims, type IdentityFacts } from '../../../domain/oidc/claims.js';
import { forbidden, wrongState } from '../../../domain/problem.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { defineOperation } from '../../../core/operation.js';
import { findHeldJob, type HeldJob, jobInput } from '../../../resources/builds/jobs/held-job.js';
import { signWithOidcKey } from '../../../resources/installation/oidc-keys/oidc-keys.js';

const names = z.array(z.string().min(1).max(limits.filterLength)).max(limits.oidcClaims).nullish();

/**
 * POST oidc tokens: issues a token by which a running job proves to another service what it is. The server is the
 * issuer; the default audience is the URL of the organization.
 */
export const requestOidcToken = defineOperation({
  name: 'job.request-oidc-token',
  summary: 'Issues an identity token to a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput.extend({
    audience: z.string().max(limits.repositoryUrlLength).nullish(),
    /** Seconds; 0 for the default. */
    lifetime: z.number().int().min(0).max(limits.oidcTokenSeconds).nullish(),
    claims: names,
    awsSessionTags: names,
    subjectClaim: z.string().max(limits.filterLength).nullish(),
  }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, request, subject): Promise<{ token: string }> => {
    const { job } = subject;
    if (!agentAcceptedStates.includes(job.state)) throw forbidden('Only a running job may request an identity token');
    const facts = await identityOf(context, subject);
    const result = identityClaims(facts, {
      claims: request.claims ?? [],
      awsSessionTags: request.awsSessionTags ?? [],
      subjectClaim: request.subjectClaim || null,
    });
    if (!result.ok) throw wrongState(result.message);
    const { baseUrl } = context.services;
    const issuedAt = Math.floor(context.now.getTime() / 1000);
    const audience = request.audience || `${baseUrl}/${facts.organization.slug}`;
    const { token, keyId } = await signWithOidcKey(context, {
      ...result.claims,
      iss: baseUrl,
      sub: result.subject,
      aud: audience,
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + (request.lifetime || limits.oidcTokenDefaultSeconds),
      jti: context.newId(),
    });
    context.record({
      organizationId: job.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      type: 'job.oidc_token',
      data: { audience, key: keyId },
    });
    return { token };
  },
});

async function identityOf(context: Context, { job, agent }: HeldJob): Promise<IdentityFacts> {
  const [organization, pipeline, build, step, cluster, queue] = await Promise.all([
    context.load.organization.load(job.organizationId),
    context.uncheckedRows.pipeline.load(job.pipelineId),
    context.uncheckedRows.build.load(job.buildId),
    context.load.stepSummary.load(job.stepId),
    loadOrNull(context.load.cluster, job.clusterId),
    loadOrNull(context.load.clusterQueue, job.clusterQueueId),
  ]);
  if (!organization || !pipeline || !build || !step) throw new Error(`job ${job.id} has lost its build`);
  return { organization, pipeline, build, stepKey: step.key, jobId: job.id, agent, cluster, queue };
}
