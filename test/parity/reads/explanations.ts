import type { Data } from '../../support/both-surfaces.js';
import { jobState } from './jobs.js';
import { type At, leftOut, lower, one, type Read, user, userFields } from './read.js';

const named = `__typename
  ... on JobInterface { uuid }
  ... on JobTypeCommand { label state passed }
  ... on JobTypeWait { label state }
  ... on JobTypeBlock { label state passed }
  ... on JobTypeTrigger { label state passed }`;

export const jobExplanationFields = `__typename
  ... on JobTypeCommand { state passed } ... on JobTypeWait { state } ... on JobTypeBlock { state passed } ... on JobTypeTrigger { state passed }
  ... on JobInterface { explanation { reason message jobs { ${named} } triggered { uuid number } canceledBy { ${userFields} } } }`;

export const buildExplanationFields = `state canceledBy { ${userFields} } explanation { reason message supersededBy { uuid number } jobs { ${named} } }`;

const job = (found: Data) => ({
  id: found.uuid,
  name: found.label,
  state: jobState(found),
  url: leftOut.address,
  web_url: leftOut.page,
  build_url: leftOut.address,
});

const build = (found: Data) =>
  found ? { id: found.uuid, number: found.number, url: leftOut.address, web_url: leftOut.page } : null;

/** The explanation of a job as /v2 has it. */
export function jobExplanation(found: Data): Data {
  const { explanation } = found;
  return {
    state: jobState(found),
    reason: lower(explanation?.reason ?? null),
    message: explanation?.message ?? null,
    jobs: (explanation?.jobs ?? []).map(job),
    triggered_build: build(explanation?.triggered),
    canceled_by: user(explanation?.canceledBy ?? null),
  };
}

/** The explanation of a build as /v2 has it. */
export function buildExplanation(found: Data): Data {
  const { explanation } = found;
  return {
    state: lower(found.state),
    reason: lower(explanation?.reason ?? null),
    message: explanation?.message ?? null,
    superseded_by: build(explanation?.supersededBy),
    jobs: (explanation?.jobs ?? []).map(job),
    canceled_by: user(found.canceledBy),
  };
}

const pathFields = `criticalPath { duration running waitingForAgent waitingForConcurrency waitingForPerson other
  path { kind startedAt finishedAt duration job { ${named} } } }`;
const kinds: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  AGENT: 'waiting_for_agent',
  CONCURRENCY: 'waiting_for_concurrency',
  PERSON: 'waiting_for_person',
  OTHER: 'other',
};

/** The critical path of a build as /v2 has it. */
const criticalPath = ({ criticalPath: found }: Data) => ({
  duration: found.duration,
  durations: {
    running: found.running,
    waiting_for_agent: found.waitingForAgent,
    waiting_for_concurrency: found.waitingForConcurrency,
    waiting_for_person: found.waitingForPerson,
    other: found.other,
  },
  path: found.path.map((stretch: Data) => ({
    kind: kinds[stretch.kind],
    job: stretch.job && job(stretch.job),
    started_at: stretch.startedAt,
    finished_at: stretch.finishedAt,
    duration: stretch.duration,
  })),
});

const ofJob = one(
  ({ job: id }: At) => [`query ($id: ID!) { job(uuid: $id) { ${jobExplanationFields} } }`, { id }],
  'job',
  jobExplanation,
);

const inBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';

export const explanationReads: Readonly<Record<string, Read>> = {
  [`${inBuild}/explanation`]: one(
    () => [`{ build(slug: "acme/app/1") { ${buildExplanationFields} } }`],
    'build',
    buildExplanation,
  ),
  [`${inBuild}/critical_path`]: one(() => [`{ build(slug: "acme/app/1") { ${pathFields} } }`], 'build', criticalPath),
  [`${inBuild}/jobs/{job}/explanation`]: ofJob,
  '/organizations/{org}/jobs/{job}/explanation': ofJob,
};
