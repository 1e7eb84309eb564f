import { readFileSync } from 'node:fs';
import type { Known } from './fill/filler.js';

interface OpenApi {
  paths: Record<string, Record<string, { parameters?: ({ $ref: string } | { name: string })[] }>>;
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi;
const prefix = '/v2';

/** Every path of `openapi.json` that is read, without its prefix. */
export const restPaths: readonly string[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  'get' in methods ? [path.slice(prefix.length)] : [],
);

/** Query parameters that make a read show as much as it can, beside its largest page, by the name of the parameter. */
const mostOf: Readonly<Record<string, string>> = {
  PerPage: 'per_page=100',
  CursorPerPage: 'per_page=100',
  include_retried_jobs: 'include_retried_jobs=true',
  include_test_engine: 'include_test_engine=true',
  include_failure_expanded: 'include_failure_expanded=true',
  show_api_token: 'show_api_token=true',
  identifier: 'identifier=build%2Fstep',
};

/** Names of parameters of a path, such as `org` and `slug`. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The values of a path's parameters: some mean another thing below another path. */
export function valueOf(known: Known, path: string, parameter: string): string | undefined {
  if (parameter === 'suite' && !path.startsWith('/analytics')) return known['suite_id'];
  if (parameter === 'delivery' && path.includes('/services/')) return known['notification_delivery'];
  if (parameter === 'event' && path.includes('/workflows/')) return known['workflow_event'];
  if (parameter === 'annotation' && path.includes('/jobs/')) return known['job_annotation'];
  // Schedules, triggers and deliveries are those of another pipeline than the one with the builds.
  if (parameter === 'slug' && /\/(schedules|triggers|deliveries)/.test(path)) return 'full-1';
  return known[parameter];
}

/** The names that {@link valueOf} looks up; the fillers set them all. */
export const knownNames: readonly string[] = [
  ...[
    'org',
    'user',
    'invitation',
    'cluster',
    'maintainer',
    'slug',
    'number',
    'job',
    'build_event',
    'upload',
    'service',
  ],
  ...[
    'delivery',
    'notification_delivery',
    'team',
    'pipeline',
    'suite',
    'suite_id',
    'template',
    'annotation',
    'run',
    'workflow',
    'workflow_event',
    'search',
  ],
  ...['job_annotation', 'test', 'build', 'artifact', 'agent', 'queue', 'token', 'secret', 'schedule', 'connection'],
  ...['trigger', 'event', 'rule'],
];

/** A question to a source provider, which there is none of here. */
const asksOutside = '/organizations/{org}/repository_connections/{connection}/repositories';

/** The addresses of all reads, each with as much as one reply can show. */
export function restReads(known: Known): string[] {
  return restPaths.flatMap((path) => {
    if (path === asksOutside) return [];
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(known, path, name) ?? `no-${name}`);
    const parameters = document.paths[prefix + path]?.['get']?.parameters ?? [];
    const names = parameters.map((each) => ('name' in each ? each.name : (each.$ref.split('/').at(-1) ?? '')));
    const query = names.flatMap((name) => mostOf[name] ?? []).join('&');
    return [prefix + filled + (query === '' ? '' : `?${query}`)];
  });
}

/** Reads of the pipeline whose builds have many jobs, in each form that leaves something out. */
export function buildReads({ parallel = '' }: Known): string[] {
  const builds = '/v2/organizations/acme/pipelines';
  const lists = [parallel, 'large', 'matrix', 'notify', 'quiet'].map((slug) => `${builds}/${slug}/builds?per_page=100`);
  const one = ['', '?exclude_pipeline=true', '?exclude_jobs=true', '/jobs?per_page=100'];
  return [...lists, ...one.map((rest) => `${builds}/${parallel}/builds/1${rest}`)];
}
