import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Shell } from '../layout/shell';
import { NotFound } from '../ui/placeholder';
import { resourceRoutes } from './resource-routes';
import { words } from './search-words';

interface PipelineFilters {
  search?: string | undefined;
  tag?: string | undefined;
  team?: string | undefined;
  archived?: boolean | undefined;
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
    ...words('search', 'tag', 'team')(search),
    archived: search['archived'] === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/pipelines/pipelines-page'), 'PipelinesPage'),
});

const pipeline = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline',
  validateSearch: words('branch', 'state', 'creator'),
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
  validateSearch: words('tab'),
  component: lazyRouteComponent(() => import('../pages/pipeline/pipeline-settings-page'), 'PipelineSettingsPage'),
});

const build = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$pipeline/builds/$number',
  validateSearch: words('tab', 'view'),
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
