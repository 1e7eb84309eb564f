import { fetchQuery, graphql } from 'react-relay';
import type { firstErrorQuery } from '../../../__generated__/firstErrorQuery.graphql';
import { environment } from '../../../relay/environment';

const document = graphql`
  query firstErrorQuery($job: ID!) {
    node(id: $job) {
      ... on JobTypeCommand {
        failure {
          excerpts {
            firstLine
            kind
          }
        }
      }
    }
  }
`;

/** Kinds of excerpts that are shown for want of a line that tells of an error. */
const general: readonly string[] = ['GROUP', 'END'];

/** The first line of a failed job's log that tells of an error, from 0; null if none does. `jobId`: of GraphQL. */
export async function firstErrorOf(jobId: string): Promise<number | null> {
  const response = await fetchQuery<firstErrorQuery>(environment, document, { job: jobId }).toPromise();
  const lines = (response?.node?.failure?.excerpts ?? [])
    .filter(({ kind }) => !general.includes(kind))
    .map(({ firstLine }) => firstLine - 1);
  return lines.length === 0 ? null : Math.min(...lines);
}
