import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { pipelineSettingsPageDeleteMutation } from '../../__generated__/pipelineSettingsPageDeleteMutation.graphql';
import type { pipelineSettingsPageQuery } from '../../__generated__/pipelineSettingsPageQuery.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { ArchiveButton } from './archive-button';
import { BadgeSettings } from './badge-settings';
import { ProviderSettings } from './provider-settings';
import { Schedules } from './schedules/schedules';
import { SettingsForm } from './settings-form';
import { Triggers } from './triggers/triggers';
import { Webhooks } from './webhooks/webhooks';

const route = getRouteApi('/$organization/$pipeline/settings');
const tabs = ['general', 'provider', 'schedules', 'triggers', 'webhooks', 'badge'] as const;

const document = graphql`
  query pipelineSettingsPageQuery($slug: ID!) {
    pipeline(slug: $slug) {
      id
      name
      permissions {
        pipelineDelete {
          allowed
        }
      }
      ...archiveButton_pipeline
      ...settingsForm_pipeline
      ...providerSettings_pipeline
      ...schedules_pipeline
      ...triggers_pipeline
      ...webhooks_pipeline
      ...badgeSettings_pipeline
    }
  }
`;

const deleteDocument = graphql`
  mutation pipelineSettingsPageDeleteMutation($input: PipelineDeleteInput!) {
    pipelineDelete(input: $input) {
      deletedPipelineID
    }
  }
`;

/** Settings of a pipeline, its schedules and triggers, what its provider sent, and its badge. */
export function PipelineSettingsPage() {
  const { organization, pipeline: slug } = route.useParams();
  const { tab: tabName } = route.useSearch();
  const tab = tabs.find((each) => each === tabName) ?? 'general';
  const navigate = useNavigate();
  const [fetchKey, refetch] = useRefetchKey();
  const { pipeline } = useLazyLoadQuery<pipelineSettingsPageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  if (!pipeline) return <NotFound />;
  const shared = { organization, pipeline, refetch };
  return (
    <Page
      title={texts.settings.of(pipeline.name)}
      crumbs={
        <Link to="/$organization/$pipeline" params={{ organization, pipeline: slug }}>
          {pipeline.name}
        </Link>
      }
      actions={
        <>
          <ArchiveButton pipeline={pipeline} />
          {pipeline.permissions.pipelineDelete.allowed && (
            <ConfirmButton<pipelineSettingsPageDeleteMutation>
              label={texts.common.delete}
              question={texts.settings.deleteQuestion(pipeline.name)}
              mutation={deleteDocument}
              input={{ id: pipeline.id }}
              done={() => void navigate({ to: '/$organization', params: { organization } })}
            />
          )}
        </>
      }
    >
      <nav className="tabs" aria-label={texts.settings.of(pipeline.name)}>
        {tabs.map((each) => (
          <Link
            key={each}
            className="tab"
            to="/$organization/$pipeline/settings"
            params={{ organization, pipeline: slug }}
            search={{ tab: each === 'general' ? undefined : each }}
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={each === tab ? 'page' : undefined}
          >
            {texts.settings.tabs[each]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Loading />}>
        {tab === 'general' && (
          <SettingsForm
            key={pipeline.id}
            organization={organization}
            pipeline={pipeline}
            renamed={(next) =>
              void navigate({
                to: '/$organization/$pipeline/settings',
                params: { organization, pipeline: next },
                replace: true,
              })
            }
          />
        )}
        {tab === 'provider' && <ProviderSettings key={pipeline.id} pipeline={pipeline} />}
        {tab === 'schedules' && <Schedules {...shared} />}
        {tab === 'triggers' && <Triggers {...shared} />}
        {tab === 'webhooks' && <Webhooks {...shared} />}
        {tab === 'badge' && <BadgeSettings key={pipeline.id} pipeline={pipeline} />}
      </Suspense>
    </Page>
  );
}
