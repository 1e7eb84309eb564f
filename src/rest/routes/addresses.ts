import type { RestRequest } from '../requests/request.js';

/** Path parameters as the addresses of `core/address.ts`. */
export const inOrganization = (request: RestRequest) => ({ organization: { slug: request.param('org') } });

export const inPipeline = (request: RestRequest) => ({
  pipeline: { organization: request.param('org'), slug: request.param('slug') },
});

export const ofSuite = (request: RestRequest) => ({
  suite: { organization: request.param('org'), slug: request.param('suite') },
});

export const ofBuild = (request: RestRequest) => ({
  build: { organization: request.param('org'), pipeline: request.param('slug'), number: request.param('number') },
});

/** A job under its build, or, where the path names none, under its organization. */
export const ofJob = (request: RestRequest) => {
  const organization = request.param('org');
  const id = request.param('job');
  if (request.params['slug'] === undefined) return { job: { organization, id } };
  return { job: { organization, pipeline: request.param('slug'), number: request.param('number'), id } };
};

export const ofTeam = (request: RestRequest) => ({
  team: { organization: request.param('org'), id: request.param('team') },
});
/** An artifact under its build, under its job, or under a job of its organization. */
export const ofArtifact = (request: RestRequest) => {
  const organization = request.param('org');
  const id = request.param('artifact');
  const job = request.params['job'];
  if (request.params['slug'] === undefined) return { artifact: { organization, job, id } };
  return { artifact: { organization, pipeline: request.param('slug'), number: request.param('number'), job, id } };
};
export const ofCluster = (request: RestRequest) => ({
  cluster: { organization: request.param('org'), id: request.param('cluster') },
});

/** Something that belongs to a cluster: `parameter` is its name in the path, `field` that in the operation's input. */
export const inCluster =
  (parameter: string, field = parameter) =>
  (request: RestRequest) => ({
    [field]: { organization: request.param('org'), id: request.param(parameter) },
    clusterId: request.param('cluster'),
  });
