import { type AnnotationScope, annotationScopes } from '../../../domain/builds/annotations/annotation.js';
import type { Context } from '../../../request/context.js';
import type { AnnotationSubject } from '../../../resources/builds/annotations/annotation.js';
import { createAnnotation } from '../../../operations/builds/annotations/create.js';
import { deleteAnnotation } from '../../../operations/builds/annotations/delete.js';
import { getAnnotation } from '../../../operations/builds/annotations/get.js';
import { listAnnotations } from '../../../operations/builds/annotations/list.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentAnnotation } from '../../present/builds/annotation.js';
import { malformedParameter, type RestRequest } from '../../requests/request.js';
import { listRoute, type QueryParameter, type Route, route } from '../../route.js';
import { ofBuild, ofJob } from '../addresses.js';

const omitBody: QueryParameter = { name: 'omit_body', type: 'boolean', description: 'Leaves out `body_html`.' };
const scope: QueryParameter = {
  name: 'scope',
  type: 'string',
  values: [...annotationScopes, 'all'],
  description: 'Only annotations of the build (`build`, the default), of its jobs (`job`), or both (`all`).',
};

const present = (context: Context, { annotation }: AnnotationSubject) => presentAnnotation(context, annotation);

/** Reads the scopes of a list of a build's annotations; throws `malformed` (400) for an unknown one. */
function readScopes(request: RestRequest): AnnotationScope[] {
  const word = request.text('scope') || 'build';
  const scopes = word === 'all' ? annotationScopes : annotationScopes.filter((each) => each === word);
  if (scopes.length === 0) throw malformedParameter('scope', `must be one of ${annotationScopes.join(', ')}, all`);
  return [...scopes];
}

/** The annotations of a build, or of a job under its build or its organization: the same routes below each. */
function routesUnder(
  path: string,
  of: (request: RestRequest) => object,
  variant: string | undefined,
  ofBuilds: boolean,
): Route[] {
  const annotation = (request: RestRequest) => ({ annotation: { id: request.param('annotation'), of: of(request) } });
  return [
    listRoute(listAnnotations, {
      method: 'get',
      path,
      variant,
      query: ofBuilds ? [scope, omitBody] : [omitBody],
      // An invalid query is refused before the build is looked up.
      input: (request) => ({
        of: of(request),
        ...(ofBuilds ? { scopes: readScopes(request) } : {}),
        omitBody: request.flag('omit_body'),
        paging: readPage(request),
      }),
      reply: {
        kind: 'page',
        schema: 'Annotation',
        present: (context: Context, row, request) =>
          presentAnnotation(context, row, { omitBody: request.flag('omit_body') }),
      },
    }),
    route(createAnnotation, {
      method: 'post',
      path,
      variant,
      takesBody: true,
      requires: ['body'],
      // The body is required on /v2, which has no request for the looks alone.
      input: (request) => ({ ...camelFields(request.body), looksAlone: false, of: of(request) }),
      reply: { kind: 'object', status: 201, schema: 'Annotation', present },
    }),
    route(getAnnotation, {
      method: 'get',
      path: `${path}/{annotation}`,
      variant,
      input: annotation,
      reply: { kind: 'object', status: 200, schema: 'Annotation', present },
    }),
    route(deleteAnnotation, {
      method: 'delete',
      path: `${path}/{annotation}`,
      variant,
      input: annotation,
      reply: { kind: 'empty' },
    }),
  ];
}

const build = '/organizations/{org}/pipelines/{slug}/builds/{number}';

export const annotationRoutes: Route[] = [
  ...routesUnder(`${build}/annotations`, ofBuild, undefined, true),
  ...routesUnder(`${build}/jobs/{job}/annotations`, ofJob, 'job', false),
  ...routesUnder('/organizations/{org}/jobs/{job}/annotations', ofJob, 'organization', false),
];
