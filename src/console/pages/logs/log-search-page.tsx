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
    $regexp: Boolean!
    $passed: Boolean
    $pipeline: String
    $after: String
  ) {
    organization(slug: $organization) {
      logSearch(text: $text, regexp: $regexp, passed: $passed, pipeline: $pipeline, first: 100, after: $after) {
        matches {
          pipelineSlug
          buildNumber
          jobUuid
          line
          text
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

/** Search for lines in the logs of all jobs; it goes on until it has a screen of lines, and says how far it is. */
export function LogSearchPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { change } = useFilters(filters);
  const [text, setText] = useState(filters.q ?? '');
  const words = texts.logSearch;
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
          label={words.form}
          any={words.plain}
          value={filters.form}
          onChange={(next) => change({ form: next })}
          choices={[{ value: 'regexp', label: words.regexp }]}
        />
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
      </Filters>
      {filters.q ? (
        <FoundLines
          key={JSON.stringify(filters)}
          organization={organization}
          text={filters.q}
          regexp={filters.form === 'regexp'}
          passed={filters.state ? filters.state === 'passed' : null}
        />
      ) : (
        <p className="muted">{words.hint}</p>
      )}
    </Page>
  );
}

interface Search {
  organization: string;
  text: string;
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
        {matches.map(({ pipelineSlug, buildNumber, jobUuid, line, text }) => (
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
function useSearch({ organization, text, regexp, passed }: Search): { results: Results; goOn: () => void } {
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
      { organization, text, regexp, passed, pipeline: null, after: cursor },
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
  }, [environment, organization, text, regexp, passed, cursor, isOpen, until]);
  const goOn = () => {
    setUntil(results.matches.length + linesAtATime);
    setResults((before) => ({ ...before, state: 'searching' }));
  };
  return { results, goOn };
}
