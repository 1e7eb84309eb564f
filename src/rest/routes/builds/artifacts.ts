import { artifactStates } from '../../../domain/builds/artifact-state.js';
import type { Context } from '../../../request/context.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { deleteArtifact } from '../../../operations/builds/artifacts/delete.js';
import { getArtifactArchive } from '../../../operations/builds/artifacts/get-archive.js';
import { getArtifact } from '../../../operations/builds/artifacts/get.js';
import { redirectLink, redirectToArchive, redirectToReport } from '../../../resources/builds/artifacts/links.js';
import { listArtifacts } from '../../../operations/builds/artifacts/list.js';
import type { ArtifactSubject } from '../../../core/subject.js';
import { readPage } from '../../replies/pagination.js';
import { presentArtifact } from '../../present/builds/artifact.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type QueryParameter, type Route, route } from '../../route.js';
import { ofArtifact, ofBuild, ofJob } from '../addresses.js';

const filters: readonly QueryParameter[] = [
  {
    name: 'state',
    type: 'string',
    values: artifactStates,
    description: 'Only artifacts in this state.',
  },
  { name: 'path', type: 'string', description: 'Only artifacts with this path; `*` matches any text.' },
];

const present = (context: Context, { artifact }: ArtifactSubject) => presentArtifact(context, artifact);

/** The routes below one of the three places that artifacts answer at. */
function routesUnder(parent: string, within: (request: RestRequest) => object, variant?: string): Route[] {
  const all = `${parent}/artifacts`;
  const one = `${all}/{artifact}`;
  return [
    listRoute(listArtifacts, {
      method: 'get',
      path: all,
      variant,
      query: filters,
      refuses: [422],
      input: (request) => ({
        within: within(request),
        state: request.text('state'),
        path: request.text('path'),
        paging: readPage(request),
      }),
      reply: {
        kind: 'page',
        schema: 'Artifact',
        present: (context: Context, artifact: ArtifactRow) => presentArtifact(context, artifact),
      },
    }),
    route(getArtifactArchive, {
      method: 'get',
      path: `${parent}/artifacts.zip`,
      variant,
      refuses: [422],
      input: (request) => ({ within: within(request) }),
      reply: { kind: 'redirect', target: redirectToArchive },
    }),
    route(getArtifact, {
      method: 'get',
      path: one,
      variant,
      input: ofArtifact,
      reply: { kind: 'object', status: 200, schema: 'Artifact', present },
    }),
    route(getArtifact, {
      method: 'get',
      path: `${one}/download`,
      variant: variant === undefined ? 'download' : `${variant}.download`,
      input: ofArtifact,
      reply: { kind: 'redirect', target: (context, { artifact }) => redirectLink(context, artifact) },
    }),
    route(getArtifact, {
      method: 'get',
      path: `${one}/report`,
      variant: variant === undefined ? 'report' : `${variant}.report`,
      input: ofArtifact,
      reply: { kind: 'redirect', target: (context, { artifact }) => redirectToReport(context, artifact) },
    }),
    route(deleteArtifact, { method: 'delete', path: one, variant, input: ofArtifact, reply: { kind: 'empty' } }),
  ];
}

export const artifactRoutes: Route[] = [
  ...routesUnder('/organizations/{org}/pipelines/{slug}/builds/{number}', ofBuild),
  ...routesUnder('/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}', ofJob, 'job'),
  ...routesUnder('/organizations/{org}/jobs/{job}', ofJob, 'organization'),
];
