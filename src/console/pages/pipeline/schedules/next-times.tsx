import { useEffect, useState } from 'react';
import { fetchQuery, graphql } from 'react-relay';
import type { nextTimesQuery } from '../../../__generated__/nextTimesQuery.graphql';
import { environment } from '../../../relay/environment';
import { GraphqlError } from '../../../relay/graphql-error';
import { texts } from '../../../texts/texts';
import { problemOf } from '../../../ui/field-problem';
import { RelativeTime } from '../../../ui/time';

const document = graphql`
  query nextTimesQuery($organization: ID!, $cronline: String!) {
    organization(slug: $organization) {
      scheduleTimes(cronline: $cronline)
    }
  }
`;

const typingPause = 300;
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });

/**
 * The next five times of a cron line while it is typed, or the reason why it has none. With `refused` the field already
 * shows the reason.
 */
export function NextTimes(props: { organization: string; cronline: string; refused: boolean }) {
  const { organization, cronline, refused } = props;
  const [times, setTimes] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const reading = setTimeout(() => {
      if (cronline.trim() === '') {
        setTimes([]);
        return;
      }
      fetchQuery<nextTimesQuery>(environment, document, { organization, cronline }, { fetchPolicy: 'network-only' })
        .toPromise()
        .then((reply) => {
          setTimes(reply?.organization?.scheduleTimes ?? []);
          setProblem(null);
        })
        .catch((error: unknown) => {
          setTimes([]);
          const refusal = error instanceof GraphqlError ? error : null;
          setProblem(problemOf(refusal, 'cronline') ?? refusal?.message ?? texts.errors.failedTitle);
        });
    }, typingPause);
    return () => clearTimeout(reading);
  }, [cronline, organization]);
  if (problem && refused) return null;
  return (
    <div role="status" className={problem ? 'field-error' : 'field-hint'}>
      {problem ?? (
        <>
          {times.length > 0 && texts.schedules.next}
          <ol>
            {times.map((time) => (
              <li key={time}>
                {exact.format(new Date(time))} (<RelativeTime at={time} />)
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
