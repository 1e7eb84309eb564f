import { fetchQuery, graphql, useLazyLoadQuery } from 'react-relay';
import type { bannerQuery } from '../__generated__/bannerQuery.graphql';
import { texts } from '../texts/texts';
import { useParams } from '@tanstack/react-router';
import { environment } from '../relay/environment';
import { nodesOf } from '../relay/nodes';

const document = graphql`
  query bannerQuery($organization: ID!) {
    organization(slug: $organization) {
      banners(first: 1) {
        edges {
          node {
            id
            message
          }
        }
      }
    }
  }
`;

/** Reads the banner again after it was changed; the page shows what comes. */
export const readBanner = (organization: string) =>
  fetchQuery<bannerQuery>(environment, document, { organization }, { fetchPolicy: 'network-only' }).toPromise();

/** What the organization of the page tells everybody. */
export function Banner() {
  const { organization } = useParams({ strict: false });
  return organization ? <Message organization={organization} /> : null;
}

function Message({ organization }: { organization: string }) {
  const data = useLazyLoadQuery<bannerQuery>(document, { organization }, { fetchPolicy: 'store-or-network' });
  const [banner] = nodesOf(data.organization?.banners);
  if (!banner) return null;
  return (
    <aside className="banner" aria-label={texts.organization.banner}>
      {banner.message}
    </aside>
  );
}
