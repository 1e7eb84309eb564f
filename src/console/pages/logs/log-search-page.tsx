import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { logSearchPageQuery, logSearchPageQuery$data } from '../../__generated__/logSearchPageQuery.graphql';
import { texts } from '../../texts/texts';
import { ChoiceFilter, Filters, useFilters } from '../../ui/filters';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/placeholder';
import { sizeText } from '../../ui/size-text';
import './log-search.css';

const route = getRouteApi('/organizations/$organization/logs');

const document = graphql`
  query logSearchPageQuery(
    $organization: ID!
    $text: String!
    $in: LogSearchPlaces!
    $cluster: String
    $regexp: Boolean!
    $passed: Boolean
    $pipeline: String
    $after: String
  ) {
    organization(slug: $organization) {
      logSearch(
        text: $text
        in: $in
        cluster: $cluster
        regexp: $regexp
        passed: $passed
        pipeline: $pipeline
        first: 100
        after: $after
      ) {
        matches {
          pipelineSlug
          buildNumber
          jobUuid
          line
          text
          cluster
        }
        cursor
        scannedBytes
        complete
      }
    }
  }
`;

type Found = NonNullable<NonNullable<logSearchPageQuery$data['organization']>['logSearch']>;

interface Results {
  matches: Found['matches'][number][];
  cursor: string | null;
  scannedBytes: number;
  state: 'searching' | 'failed' | 'stopped' | 'complete';
  problem?: string;
}

const none: Results = { matches: [], cursor: null, scannedBytes: 0, state: 'searching' };
/** Lines after which a search stops until it is asked to go on. */
const linesAtATime = 100;

/**
 * Search for lines in the logs of all jobs, or in what is kept of failed ones; it goes on until it has a screen of
 * lines, and says how far it is.
 */
export function LogSearchPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { change } = useFilters(filters);
  const [text, setText] = useState(filters.q ?? '');
  const [lookedFor, setLookedFor] = useState(filters.q);
  // A link to another search replaces what was typed.
  if (lookedFor !== filters.q) {
    setLookedFor(filters.q);
    setText(filters.q ?? '');
  }
  const words = texts.logSearch;
  const { cluster } = filters;
  const inExtracts = filters.in === 'extracts';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ q: text.trim() });
  };
  return (
    <Page title={words.title} wide>
      <form onSubmit={submit} className="log-search-form">
        <input
          className="input log-search-text"
          type="search"
          aria-label={words.text}
          placeholder={words.text}
          value={text}
          maxLength={1000}
          onChange={(event) => setText(event.target.value)}
        />
        <button className="button button-primary" type="submit">
          {words.search}
        </button>
      </form>
      <Filters>
        <ChoiceFilter
          label={words.where}
          any={words.wholeLogs}
          value={filters.in}
          onChange={(next) => change({ in: next, cluster: '', state: '' })}
          choices={[{ value: 'extracts', label: words.extracts }]}
        />
        <ChoiceFilter
          label={words.form}
          any={words.plain}
          value={filters.form}
          onChange={(next) => change({ form: next })}
          choices={[{ value: 'regexp', label: words.regexp }]}
        />
        {!inExtracts && (
          <ChoiceFilter
            label={words.jobs}
            any={words.allJobs}
            value={filters.state}
            onChange={(next) => change({ state: next })}
            choices={[
              { value: 'failed', label: words.failedJobs },
              { value: 'passed', label: words.passedJobs },
            ]}
          />
        )}
      </Filters>
      {inExtracts && cluster && (
        <p className="log-search-alike">
          {words.alike}{' '}
          <button className="button" type="button" onClick={() => change({ cluster: '' })}>
            {words.notAlike}
          </button>
        </p>
      )}
      {filters.q || (inExtracts && cluster) ? (
        <FoundLines
          key={JSON.stringify(filters)}
          organization={organization}
          text={filters.q ?? ''}
          place={inExtracts ? 'EXTRACTS' : 'LOGS'}
          cluster={(inExtracts && cluster) || null}
          regexp={filters.form === 'regexp'}
          passed={filters.state && !inExtracts ? filters.state === 'passed' : null}
        />
      ) : (
        <p className="muted">{inExtracts ? words.hintOfExtracts : words.hint}</p>
      )}
    </Page>
  );
}

interface Search {
  organization: string;
  text: string;
  place: 'EXTRACTS' | 'LOGS';
  cluster: string | null;
  regexp: boolean;
  passed: boolean | null;
}

function FoundLines(search: Search) {
  const { results, goOn } = useSearch(search);
  const { matches, scannedBytes, state, problem } = results;
  const words = texts.logSearch;
  return (
    <section aria-busy={state === 'searching'}>
      <ol className="card log-search-lines">
        {matches.map(({ pipelineSlug, buildNumber, jobUuid, line, text, cluster }) => (
          <li key={`${jobUuid} ${line}`}>
            <Link
              to="/$organization/$pipeline/builds/$number"
              params={{ organization: search.organization, pipeline: pipelineSlug, number: String(buildNumber) }}
              hash={`${jobUuid}/L${line}`}
            >
              {words.place(pipelineSlug, buildNumber, line)}
            </Link>
            <code>
              <bdi>{text}</bdi>
            </code>
            {cluster && cluster !== search.cluster && (
              <Link
                to="/organizations/$organization/logs"
                params={{ organization: search.organization }}
                search={{ in: 'extracts', cluster }}
              >
                {words.sameElsewhere}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="muted">
        {state === 'searching' && words.searching(matches.length, sizeText(scannedBytes))}
        {state === 'stopped' && words.stopped(matches.length, sizeText(scannedBytes))}
        {state === 'complete' && words.complete(matches.length, sizeText(scannedBytes))}
      </p>
      {state === 'failed' && <Empty>{problem ?? words.failed}</Empty>}
      {(state === 'stopped' || state === 'failed') && (
        <button className="button" type="button" onClick={goOn}>
          {words.goOn}
        </button>
      )}
    </section>
  );
}

/** Reads page after page until there is a screen of new lines; stops when the page is left. */
function useSearch({ organization, text, place, cluster, regexp, passed }: Search): {
  results: Results;
  goOn: () => void;
} {
  const environment = useRelayEnvironment();
  const [results, setResults] = useState(none);
  const [until, setUntil] = useState(linesAtATime);
  const isOpen = results.state === 'searching';
  const { cursor } = results;
  useEffect(() => {
    if (!isOpen) return;
    const subscription = fetchQuery<logSearchPageQuery>(
      environment,
      document,
      { organization, text, in: place, cluster, regexp, passed, pipeline: null, after: cursor },
      { fetchPolicy: 'network-only' },
    ).subscribe({
      next: ({ organization: answer }) => {
        const page = answer?.logSearch;
        setResults((before) => {
          // A field that was refused comes as null, beside an error that Relay leaves out.
          if (!page) return { ...before, state: 'failed' };
          const matches = [...before.matches, ...page.matches];
          const scannedBytes = before.scannedBytes + page.scannedBytes;
          if (page.complete) return { matches, cursor: null, scannedBytes, state: 'complete' };
          const state = matches.length >= until ? 'stopped' : 'searching';
          return { matches, cursor: page.cursor ?? null, scannedBytes, state };
        });
      },
      error: (error: Error) => setResults((before) => ({ ...before, state: 'failed', problem: error.message })),
    });
    return () => subscription.unsubscribe();
  }, [environment, organization, text, place, cluster, regexp, passed, cursor, isOpen, until]);
  const goOn = () => {
    setUntil(results.matches.length + linesAtATime);
    setResults((before) => ({ ...before, state: 'searching' }));
  };
  return { results, goOn };
}
