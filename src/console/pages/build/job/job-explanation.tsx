import { graphql, useLazyLoadQuery } from 'react-relay';
import type { jobExplanationQuery } from '../../../__generated__/jobExplanationQuery.graphql';

const document = graphql`
  query jobExplanationQuery($job: ID!) {
    node(id: $job) {
      ... on JobInterface {
        explanation {
          message
        }
      }
    }
  }
`;

/** Why the job waits, was skipped or ended so, in the words of the server. Read again when the state changes. */
export function JobExplanation({ jobId, state }: { jobId: string; state: string }) {
  const { node } = useLazyLoadQuery<jobExplanationQuery>(
    document,
    { job: jobId },
    { fetchPolicy: 'store-and-network', fetchKey: state },
  );
  const message = node?.explanation?.message;
  return message ? <p className="card-body">{message}</p> : null;
}
