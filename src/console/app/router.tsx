import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Shell } from '../layout/shell';
import { NotFound } from '../ui/placeholder';
import { resourceRoutes } from './resource-routes';

/** A text of the query string; anything else, and an empty one, is absent. */
const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

interface PipelineFilters {
  search?: string | undefined;
  tag?: string | undefined;
  team?: string | undefined;
  archived?: boolean | undefined;
}

interface BuildView {
  tab?: string | undefined;
  view?: string | undefined;
}

interface BuildFilters {
  branch?: string | undefined;
  state?: string | undefined;
  creator?: string | undefined;
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/home-page'), 'HomePage'),
});

const pipelines = createRoute({
  getParentRoute: () => root,
  path: '/$organization',
  validateSearch: (search: Record<string, unknown>): PipelineFilters => ({
    search: word(search['search']),
    tag: word(search['tag']),
    team: word(search['team']),
    archived: search['archived'] === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/pipelines/pipelines-page'), 'PipelinesPage'),
});

const pipeline = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline',
  validateSearch: (search: Record<string, unknown>): BuildFilters => ({
    branch: word(search['branch']),
    state: word(search['state']),
    creator: word(search['creator']),
  }),
  component: lazyRouteComponent(() => import('../pages/pipeline/pipeline-page'), 'PipelinePage'),
});

const newPipeline = createRoute({
  getParentRoute: () => root,
  path: '/organizations/$organization/pipelines/new',
  component: lazyRouteComponent(() => import('../pages/new-pipeline/new-pipeline-page'), 'NewPipelinePage'),
});

const pipelineSettings = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline/settings',
  component: lazyRouteComponent(() => import('../pages/pipeline/pipeline-settings-page'), 'PipelineSettingsPage'),
});

const build = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline/builds/$number',
  validateSearch: (search: Record<string, unknown>): BuildView => ({
    tab: word(search['tab']),
    view: word(search['view']),
  }),
  component: lazyRouteComponent(() => import('../pages/build/build-page'), 'BuildPage'),
});

/** The address of a pipeline's builds is the pipeline's own page. */
const builds = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline/builds',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organization/$pipeline', params, replace: true });
  },
});

const routes = [
  home,
  pipelines,
  pipeline,
  newPipeline,
  pipelineSettings,
  build,
  builds,
  ...resourceRoutes(root),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
