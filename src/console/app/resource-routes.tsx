import { type AnyRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** Pages under /organizations/…: what an organization has beside pipelines and builds. */
export function resourceRoutes<Root extends AnyRootRoute>(root: Root) {
  const getParentRoute = () => root;
  return [
    createRoute({
      getParentRoute,
      path: '/organizations/$organization',
      component: lazyRouteComponent(() => import('../pages/resources/organization-page'), 'OrganizationPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/agents',
      component: lazyRouteComponent(() => import('../pages/resources/agents-page'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters',
      component: lazyRouteComponent(() => import('../pages/resources/clusters-page'), 'ClustersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters/$cluster',
      component: lazyRouteComponent(() => import('../pages/resources/cluster-page'), 'ClusterPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites',
      component: lazyRouteComponent(() => import('../pages/resources/suites-page'), 'SuitesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites/$suite',
      component: lazyRouteComponent(() => import('../pages/resources/suite-page'), 'SuitePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams',
      component: lazyRouteComponent(() => import('../pages/resources/teams-page'), 'TeamsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams/$team',
      component: lazyRouteComponent(() => import('../pages/resources/team-page'), 'TeamPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/users',
      component: lazyRouteComponent(() => import('../pages/resources/members-page'), 'MembersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/pipeline-templates',
      component: lazyRouteComponent(() => import('../pages/resources/templates-page'), 'TemplatesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/notification-services',
      component: lazyRouteComponent(() => import('../pages/resources/notifications-page'), 'NotificationsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/rules',
      component: lazyRouteComponent(() => import('../pages/resources/rules-page'), 'RulesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/api-tokens',
      component: lazyRouteComponent(() => import('../pages/resources/api-tokens-page'), 'ApiTokensPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/audit-log',
      component: lazyRouteComponent(() => import('../pages/resources/audit-page'), 'AuditPage'),
    }),
  ] as const;
}
