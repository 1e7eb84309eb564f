import { type AnyRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { words } from './search-words';

/** Pages under /organizations/…: what an organization has beside pipelines and builds; and what is the person's own. */
export function resourceRoutes<Root extends AnyRootRoute>(root: Root) {
  const getParentRoute = () => root;
  return [
    createRoute({
      getParentRoute,
      path: '/organizations/$organization',
      component: lazyRouteComponent(() => import('../pages/organization/organization-page'), 'OrganizationPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations',
      beforeLoad: () => {
        throw redirect({ to: '/', replace: true });
      },
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters/$cluster/queues/$queue/agents/$agent',
      beforeLoad: ({ params: { organization, agent } }) => {
        throw redirect({
          to: '/organizations/$organization/agents/$agent',
          params: { organization, agent },
          replace: true,
        });
      },
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/agents',
      validateSearch: words('search', 'state'),
      component: lazyRouteComponent(() => import('../pages/agents/agents-page'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters',
      component: lazyRouteComponent(() => import('../pages/clusters/clusters-page'), 'ClustersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters/$cluster',
      component: lazyRouteComponent(() => import('../pages/clusters/cluster-page'), 'ClusterPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites',
      component: lazyRouteComponent(() => import('../pages/suites/suites-page'), 'SuitesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites/$suite',
      validateSearch: words('tab', 'search'),
      component: lazyRouteComponent(() => import('../pages/suites/suite-page'), 'SuitePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams',
      component: lazyRouteComponent(() => import('../pages/teams/teams-page'), 'TeamsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams/$team',
      component: lazyRouteComponent(() => import('../pages/teams/team-page'), 'TeamPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/users',
      component: lazyRouteComponent(() => import('../pages/teams/members-page'), 'MembersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/pipeline-templates',
      component: lazyRouteComponent(() => import('../pages/templates/templates-page'), 'TemplatesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/notification-services',
      component: lazyRouteComponent(() => import('../pages/notifications/notifications-page'), 'NotificationsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/rules',
      component: lazyRouteComponent(() => import('../pages/rules/rules-page'), 'RulesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/api-tokens',
      component: lazyRouteComponent(() => import('../pages/organization/api-tokens-page'), 'ApiTokensPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/audit-log',
      validateSearch: words('subject'),
      component: lazyRouteComponent(() => import('../pages/organization/audit-page'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/agents/$agent',
      component: lazyRouteComponent(() => import('../pages/agents/agent-page'), 'AgentPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters/$cluster/queues/$queue',
      component: lazyRouteComponent(() => import('../pages/clusters/queue-page'), 'QueuePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites/$suite/runs/$run',
      validateSearch: words('view'),
      component: lazyRouteComponent(() => import('../pages/suites/run-page'), 'RunPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites/$suite/tests/$test',
      component: lazyRouteComponent(() => import('../pages/suites/test-page'), 'TestPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/users/$user',
      component: lazyRouteComponent(() => import('../pages/teams/member-page'), 'MemberPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/pipeline-templates/$template',
      component: lazyRouteComponent(() => import('../pages/templates/template-page'), 'TemplatePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/notification-services/$service',
      component: lazyRouteComponent(() => import('../pages/notifications/service-page'), 'ServicePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/account',
      validateSearch: words('tab'),
      component: lazyRouteComponent(() => import('../pages/account/account-page'), 'AccountPage'),
    }),
  ] as const;
}
