import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay';
import type { culpritBeginMutation } from '../../../__generated__/culpritBeginMutation.graphql';
import type { culpritCancelMutation } from '../../../__generated__/culpritCancelMutation.graphql';
import type { culpritQuery } from '../../../__generated__/culpritQuery.graphql';
import type { culprit_search$data, culprit_search$key } from '../../../__generated__/culprit_search.graphql';
import { useCommand } from '../../../relay/use-command';
import { useRefetchKey } from '../../../relay/use-refetch-key';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { Outside } from '../../../ui/outside';
import { StateMark } from '../../../ui/state';
import { commitPage, pagesOf, type RepositoryPages } from '../repository-pages';
import './culprit.css';

const route = getRouteApi('/$organization/$pipeline/builds/$number');

/** Builds of a search end whenever they do: it is read again after so long. */
const readAgain = 3_000;

const document = graphql`
  query culpritQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        state
        branch
        pipeline {
          repository {
            url
            provider {
              __typename
            }
          }
          permissions {
            buildCreate {
              allowed
            }
          }
        }
        culpritSearch {
          build {
            number
          }
        }
        culpritSearches(first: 1) {
          edges {
            node {
              id
              state
              ...culprit_search
            }
          }
        }
      }
    }
  }
`;

const fragment = graphql`
  fragment culprit_search on CulpritSearch {
    id
    state
    branch
    steps {
      key
      label
    }
    commitsCount
    commitsFrom
    suspectsCount
    suspects
    culpritCommit
    reason
    tests {
      commit
      position
      buildNumber
      verdict
      reason
    }
  }
`;

const beginDocument = graphql`
  mutation culpritBeginMutation($input: CulpritSearchCreateInput!) {
    culpritSearchCreate(input: $input) {
      culpritSearch {
        id
        ...culprit_search
      }
    }
  }
`;

const cancelDocument = graphql`
  mutation culpritCancelMutation($input: CulpritSearchCancelInput!) {
    culpritSearchCancel(input: $input) {
      culpritSearch {
        id
        ...culprit_search
      }
    }
  }
`;

const unfinished: readonly string[] = ['PREPARING', 'RUNNING'];

/** Which commit turned the branch red: asks for a search, and shows how far the latest one is. */
export function Culprit({ buildId }: { buildId: string }) {
  const [fetchKey, refetch] = useRefetchKey();
  const { node } = useLazyLoadQuery<culpritQuery>(
    document,
    { build: buildId },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const latest = node?.culpritSearches?.edges?.[0]?.node;
  const goesOn = latest != null && unfinished.includes(latest.state);
  useEffect(() => {
    if (!goesOn) return;
    const reading = setInterval(() => {
      if (window.document.visibilityState === 'visible') refetch();
    }, readAgain);
    return () => clearInterval(reading);
  }, [goesOn, refetch]);
  const { run, pending } = useCommand<culpritBeginMutation>(beginDocument);
  if (!node?.pipeline) return null;
  if (node.culpritSearch) return <OfSearch number={node.culpritSearch.build?.number ?? null} />;
  const mayAsk = node.state === 'FAILED' && !goesOn && node.pipeline.permissions.buildCreate.allowed;
  if (!latest && !mayAsk) return null;
  const begin = async () => {
    if (await run({ input: { buildID: buildId } })) refetch();
  };
  return (
    <section className="card culprit" aria-labelledby="culprit-title">
      <div className="row row-wrap">
        <div className="grow stack stack-s">
          <h2 id="culprit-title">{texts.build.culprit.title}</h2>
          {!latest && <p className="muted">{texts.build.culprit.about(node.branch ?? '')}</p>}
        </div>
        {mayAsk && (
          <button type="button" className="button" disabled={pending} onClick={() => void begin()}>
            <Icon name="search" />
            {latest ? texts.build.culprit.again : texts.build.culprit.begin}
          </button>
        )}
      </div>
      {latest && (
        <Search
          search={latest}
          pages={pagesOf(node.pipeline.repository)}
          mayCancel={goesOn && node.pipeline.permissions.buildCreate.allowed}
          refetch={refetch}
        />
      )}
    </section>
  );
}

/** Says of a build of a search whose it is. */
function OfSearch({ number }: { number: number | null }) {
  const { organization, pipeline } = route.useParams();
  return (
    <p className="card culprit">
      {texts.build.culprit.ofSearch}{' '}
      {number !== null && (
        <Link to="/$organization/$pipeline/builds/$number" params={{ organization, pipeline, number: String(number) }}>
          #{number}
        </Link>
      )}
    </p>
  );
}

interface SearchProps {
  search: culprit_search$key;
  pages: RepositoryPages | null;
  mayCancel: boolean;
  refetch: () => void;
}

function Search({ search: key, pages, mayCancel, refetch }: SearchProps) {
  const search = useFragment(fragment, key);
  const { run, pending } = useCommand<culpritCancelMutation>(cancelDocument);
  const cancel = async () => {
    if (await run({ input: { id: search.id } })) refetch();
  };
  return (
    <>
      <div className="row row-wrap">
        <div className="grow stack stack-s" role="status">
          <Answer search={search} pages={pages} />
        </div>
        {mayCancel && (
          <button type="button" className="button" disabled={pending} onClick={() => void cancel()}>
            <Icon name="stop" />
            {texts.build.culprit.cancel}
          </button>
        )}
      </div>
      {search.tests.length > 0 && (
        <ol className="culprit-tests" aria-label={texts.build.culprit.tests}>
          {search.tests.map((test) => (
            <Test key={test.position} test={test} count={search.commitsCount} pages={pages} />
          ))}
        </ol>
      )}
    </>
  );
}

/** What is known: the culprit, the suspects, or how many of them are left. */
function Answer({ search, pages }: { search: culprit_search$data; pages: RepositoryPages | null }) {
  const names = search.steps.map(({ key, label }) => label || key || texts.build.culprit.step).join(', ');
  const { culprit } = texts.build;
  if (search.culpritCommit !== null && search.culpritCommit !== undefined)
    return (
      <>
        <p className="culprit-answer">
          <Commit commit={search.culpritCommit} pages={pages} /> {culprit.found(search.branch, names)}
        </p>
        {search.commitsFrom === 'BUILDS' && <p className="muted">{culprit.ofBuilds}</p>}
      </>
    );
  const suspects = search.suspectsCount > 0 ? culprit.suspects(search.suspectsCount, search.commitsCount) : null;
  if (unfinished.includes(search.state))
    return (
      <p>
        {search.state === 'PREPARING' ? culprit.preparing : culprit.running(names)} {suspects}
      </p>
    );
  return (
    <>
      <p>
        {search.reason} {suspects}
      </p>
      {search.suspectsCount > 0 && (
        <p className="row row-wrap">
          {search.suspects.map((commit) => (
            <Commit key={commit} commit={commit} pages={pages} />
          ))}
        </p>
      )}
    </>
  );
}

function Commit({ commit, pages }: { commit: string; pages: RepositoryPages | null }) {
  return (
    <Outside to={commitPage(pages, commit)}>
      <code>{commit.slice(0, 10)}</code>
    </Outside>
  );
}

/** The state of a build that stands for a verdict. */
const stateOf: Readonly<Record<string, string>> = {
  GOOD: 'PASSED',
  BAD: 'FAILED',
  SKIPPED: 'SKIPPED',
  NEEDLESS: 'CANCELED',
};

interface TestProps {
  test: culprit_search$data['tests'][number];
  count: number;
  pages: RepositoryPages | null;
}

function Test({ test, count, pages }: TestProps) {
  const { organization, pipeline } = route.useParams();
  const { commit, position, buildNumber, verdict, reason } = test;
  return (
    <li>
      <StateMark state={stateOf[verdict ?? ''] ?? 'RUNNING'} />
      <Commit commit={commit} pages={pages} />
      <span className="muted">{texts.build.culprit.place(position, count)}</span>
      <span className="grow">{texts.build.culprit.verdicts[verdict ?? 'RUNNING']}</span>
      {reason && <span className="muted">{reason}</span>}
      {buildNumber !== null && buildNumber !== undefined && (
        <Link
          to="/$organization/$pipeline/builds/$number"
          params={{ organization, pipeline, number: String(buildNumber) }}
        >
          #{buildNumber}
        </Link>
      )}
    </li>
  );
}
