import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { homePageFavoritesQuery } from '../../__generated__/homePageFavoritesQuery.graphql';
import type { homePageQuery } from '../../__generated__/homePageQuery.graphql';
import type { homePageSubscription } from '../../__generated__/homePageSubscription.graphql';
import { areFirstStepsOver, endFirstSteps } from '../../layout/preferences';
import { useOrganizationSlug } from '../../layout/use-organization';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { Placeholder } from '../../ui/placeholder';
import { BuildRow } from '../pipelines/build-row';
import { PipelineRow } from '../pipelines/pipeline-row';
import { FirstSteps } from './first-steps';

const organizationsDocument = graphql`
  query homePageQuery {
    viewer {
      organizations(first: 100) {
        nodes {
          id
          slug
          name
        }
      }
    }
  }
`;

const document = graphql`
  query homePageFavoritesQuery($organization: ID!) {
    viewer {
      mine: builds(first: 8) {
        nodes {
          id
          ...buildRow_build
        }
      }
      failed: builds(first: 5, state: [FAILED]) {
        nodes {
          id
          ...buildRow_build
        }
      }
    }
    organization(slug: $organization) {
      running: builds(first: 15, state: [RUNNING, FAILING, CANCELING, SCHEDULED]) {
        nodes {
          id
          ...buildRow_build
        }
      }
      pipelines(first: 12, favorite: true, order: NAME, archived: false) {
        nodes {
          id
          ...pipelineRow_pipeline
        }
      }
    }
  }
`;

const changes = graphql`
  subscription homePageSubscription($organization: ID!, $after: String) {
    pipelines(id: $organization, after: $after) {
      cursor
      event {
        type
      }
      build {
        id
        ...buildRow_build
      }
    }
  }
`;

/** First steps of a new organization, running builds, failed builds of the user, and favorite pipelines. */
export function HomePage() {
  const { viewer } = useLazyLoadQuery<homePageQuery>(organizationsDocument, {});
  const slug = useOrganizationSlug(viewer?.organizations?.nodes ?? []);
  return (
    <Page title={texts.home.title}>
      {slug ? (
        <Overview key={slug} organization={slug} />
      ) : (
        <Placeholder title={texts.home.noOrganization} text={texts.home.noOrganizationText} />
      )}
    </Page>
  );
}

function Overview({ organization }: { organization: string }) {
  const [fetchKey, refetch] = useRefetchKey();
  const [isGuided, setGuided] = useState(() => !areFirstStepsOver(organization));
  const data = useLazyLoadQuery<homePageFavoritesQuery>(
    document,
    { organization },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  useLive<homePageSubscription>(
    changes,
    { organization },
    {
      onNext: ({ pipelines }) => {
        if (pipelines.event) refetch();
      },
    },
  );
  const favorites = data.organization?.pipelines?.nodes ?? [];
  const running = data.organization?.running?.nodes ?? [];
  const mine = data.viewer?.mine?.nodes ?? [];
  const failed = data.viewer?.failed?.nodes ?? [];
  return (
    <>
      {isGuided && (
        <Suspense fallback={null}>
          <FirstSteps
            organization={organization}
            fetchKey={fetchKey}
            refetch={refetch}
            onEnd={() => {
              endFirstSteps(organization);
              setGuided(false);
            }}
          />
        </Suspense>
      )}
      <Section title={texts.home.running} empty={texts.home.nothingRuns} count={running.length}>
        {running.map((build) => (
          <BuildRow key={build.id} build={build} withPipeline />
        ))}
      </Section>
      <Section
        title={texts.home.favorites}
        empty={texts.home.noFavorites}
        count={favorites.length}
        side={
          <Link to="/$organization" params={{ organization }}>
            {texts.pipelines.title}
          </Link>
        }
      >
        {favorites.map((pipeline) => (
          <PipelineRow key={pipeline.id} organization={organization} pipeline={pipeline} />
        ))}
      </Section>
      <Section title={texts.home.failedOfMine} empty={texts.home.noneFailed} count={failed.length}>
        {failed.map((build) => (
          <BuildRow key={build.id} build={build} withPipeline />
        ))}
      </Section>
      <Section title={texts.home.mine} empty={texts.home.noneOfMine} count={mine.length}>
        {mine.map((build) => (
          <BuildRow key={build.id} build={build} withPipeline />
        ))}
      </Section>
    </>
  );
}

function Section(props: { title: string; empty: string; count: number; side?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack stack-s">
      <div className="row">
        <h2 className="grow">{props.title}</h2>
        {props.side}
      </div>
      {props.count > 0 ? (
        <ul className="card">{props.children}</ul>
      ) : (
        <p className="card card-body muted">{props.empty}</p>
      )}
    </section>
  );
}
