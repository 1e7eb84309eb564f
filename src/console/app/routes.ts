import { type AnyRootRoute, createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { texts } from '../texts/texts';
import { words } from './search-words';

const { nav } = texts.shell;

interface PipelineFilters {
  search?: string | undefined;
  tag?: string | undefined;
  team?: string | undefined;
  archived?: boolean | undefined;
}

/**
 * Every page of the console, by its address. `staticData.navigation` puts a page into the navigation of its
 * organization, in the order of this file. The build evaluates this file to tell the server which pages there are,
 * so it imports no page but in the moment when the page is shown.
 */
export function pageRoutes<Root extends AnyRootRoute>(root: Root) {
  const getParentRoute = () => root;
  return [
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyRouteComponent(() => import('../pages/home/home-page'), 'HomePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$organization',
      validateSearch: (search: Record<string, unknown>): PipelineFilters => ({
        ...words('search', 'tag', 'team')(search),
        archived: search['archived'] === true ? true : undefined,
      }),
      staticData: { navigation: { text: nav.pipelines, main: true } },
      component: lazyRouteComponent(() => import('../pages/pipelines/pipelines-page'), 'PipelinesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/agents',
      validateSearch: words('search', 'state'),
      staticData: { navigation: { text: nav.agents, main: true } },
      component: lazyRouteComponent(() => import('../pages/agents/agents-page'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/clusters',
      staticData: { navigation: { text: nav.clusters, main: true } },
      component: lazyRouteComponent(() => import('../pages/clusters/clusters-page'), 'ClustersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites',
      staticData: { navigation: { text: nav.suites, main: true } },
      component: lazyRouteComponent(() => import('../pages/suites/suites-page'), 'SuitesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/insights',
      validateSearch: words('by', 'days', 'sort', 'pipeline', 'branch', 'queue', 'step'),
      staticData: { navigation: { text: nav.insights } },
      component: lazyRouteComponent(() => import('../pages/insights/insights-page'), 'InsightsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/logs',
      validateSearch: words('q', 'in', 'cluster', 'form', 'state'),
      staticData: { navigation: { text: nav.logs } },
      component: lazyRouteComponent(() => import('../pages/logs/log-search-page'), 'LogSearchPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams',
      staticData: { navigation: { text: nav.teams } },
      component: lazyRouteComponent(() => import('../pages/teams/teams-page'), 'TeamsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/users',
      staticData: { navigation: { text: nav.members } },
      component: lazyRouteComponent(() => import('../pages/teams/members-page'), 'MembersPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/pipeline-templates',
      staticData: { navigation: { text: nav.templates } },
      component: lazyRouteComponent(() => import('../pages/templates/templates-page'), 'TemplatesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/notification-services',
      staticData: { navigation: { text: nav.notifications } },
      component: lazyRouteComponent(() => import('../pages/notifications/notifications-page'), 'NotificationsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/rules',
      staticData: { navigation: { text: nav.rules } },
      component: lazyRouteComponent(() => import('../pages/rules/rules-page'), 'RulesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/api-tokens',
      staticData: { navigation: { text: nav.tokens } },
      component: lazyRouteComponent(() => import('../pages/organization/api-tokens-page'), 'ApiTokensPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/audit-log',
      validateSearch: words('subject'),
      staticData: { navigation: { text: nav.audit } },
      component: lazyRouteComponent(() => import('../pages/organization/audit-page'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization',
      staticData: { navigation: { text: nav.settings } },
      component: lazyRouteComponent(() => import('../pages/organization/organization-page'), 'OrganizationPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$organization/$pipeline',
      validateSearch: words('branch', 'state', 'creator'),
      component: lazyRouteComponent(() => import('../pages/pipeline/pipeline-page'), 'PipelinePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$organization/$pipeline/settings',
      validateSearch: words('tab'),
      component: lazyRouteComponent(() => import('../pages/pipeline/pipeline-settings-page'), 'PipelineSettingsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$organization/$pipeline/builds',
      beforeLoad: ({ params: { organization, pipeline } }) => {
        throw redirect({ to: '/$organization/$pipeline', params: { organization, pipeline }, replace: true });
      },
    }),
    createRoute({
      getParentRoute,
      path: '/$organization/$pipeline/builds/$number',
      validateSearch: words('tab', 'view'),
      component: lazyRouteComponent(() => import('../pages/build/build-page'), 'BuildPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/pipelines/new',
      component: lazyRouteComponent(() => import('../pages/new-pipeline/new-pipeline-page'), 'NewPipelinePage'),
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
      path: '/organizations/$organization/clusters/$cluster',
      component: lazyRouteComponent(() => import('../pages/clusters/cluster-page'), 'ClusterPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/analytics/suites/$suite',
      validateSearch: words('tab', 'search', 'by', 'days', 'branch', 'owner', 'label', 'state'),
      component: lazyRouteComponent(() => import('../pages/suites/suite-page'), 'SuitePage'),
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organization/teams/$team',
      component: lazyRouteComponent(() => import('../pages/teams/team-page'), 'TeamPage'),
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
      path: '/organizations/$organization/analytics/suites/$suite/workflows/$workflow',
      component: lazyRouteComponent(() => import('../pages/suites/workflows/workflow-page'), 'WorkflowPage'),
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

/** Paths of all pages as their routes say them: `/organizations/$organization/agents`. */
export const pagePaths = (): string[] =>
  pageRoutes(createRootRoute()).map(({ options }) => (options as { path: string }).path);
