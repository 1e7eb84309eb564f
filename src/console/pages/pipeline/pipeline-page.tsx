import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useDeferredValue, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { pipelinePageQuery } from '../../__generated__/pipelinePageQuery.graphql';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { FavoriteButton } from '../pipelines/favorite-button';
import { useShortcuts } from '../../layout/shortcuts';
import { BuildFilters } from './build-filters';
import { BuildList } from './build-list';
import { NewBuildDialog } from './new-build-dialog';

const route = getRouteApi('/$organization/$pipeline');

const document = graphql`
  query pipelinePageQuery($slug: ID!) {
    pipeline(slug: $slug) {
      id
      name
      description
      archived
      defaultBranch
      repository {
        url
      }
      permissions {
        buildCreate {
          allowed
        }
      }
      ...favoriteButton_pipeline
    }
  }
`;

/** A pipeline with its builds. */
export function PipelinePage() {
  const { organization, pipeline: slug } = route.useParams();
  const filters = useDeferredValue(route.useSearch());
  const [creating, setCreating] = useState(false);
  const { pipeline } = useLazyLoadQuery<pipelinePageQuery>(document, { slug: `${organization}/${slug}` });
  const mayBuild = Boolean(pipeline?.permissions.buildCreate.allowed && !pipeline.archived);
  useShortcuts(mayBuild ? [{ keys: 'n', text: texts.pipeline.newBuild, run: () => setCreating(true) }] : []);
  if (!pipeline) return <NotFound />;
  return (
    <Page
      title={pipeline.name}
      heading={
        <span className="row">
          {pipeline.name}
          <FavoriteButton pipeline={pipeline} />
        </span>
      }
      crumbs={
        <Link to="/$organization" params={{ organization }}>
          {texts.pipelines.title}
        </Link>
      }
      actions={
        <>
          <Link
            className="button"
            to="/organizations/$organization/insights"
            params={{ organization }}
            search={{ pipeline: slug, by: 'step' }}
          >
            <Icon name="clock" />
            {texts.insights.title}
          </Link>
          <Link className="button" to="/$organization/$pipeline/settings" params={{ organization, pipeline: slug }}>
            <Icon name="gear" />
            {texts.pipeline.settings}
          </Link>
          {mayBuild && (
            <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
              <Icon name="play" />
              {texts.pipeline.newBuild}
            </button>
          )}
        </>
      }
    >
      {pipeline.archived && <p className="card card-body">{texts.pipeline.archivedNote}</p>}
      <p className="muted">
        {pipeline.description && <>{pipeline.description} · </>}
        <span className="mono">{pipeline.repository?.url}</span>
      </p>
      <BuildFilters />
      <Suspense fallback={<Loading />}>
        <BuildList slug={`${organization}/${slug}`} {...filters} />
      </Suspense>
      {creating && (
        <NewBuildDialog
          pipelineId={pipeline.id}
          organization={organization}
          pipeline={slug}
          defaultBranch={pipeline.defaultBranch ?? ''}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}
