import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { diskBannerQuery } from '../__generated__/diskBannerQuery.graphql';
import { texts } from '../texts/texts';
import { sizeText } from '../ui/size-text';

const document = graphql`
  query diskBannerQuery($organization: ID!) {
    organization(slug: $organization) {
      storage {
        disk {
          freeBytes
          reserveBytes
          state
        }
      }
    }
  }
`;

/** How often it is looked at again while a page stays open, in milliseconds. */
const lookEveryMs = 5 * 60_000;

/** Tells administrators that the disk of logs and artifacts is filling, before agents are refused. */
export function DiskBanner() {
  const { organization } = useParams({ strict: false });
  return organization ? <Warning key={organization} organization={organization} /> : null;
}

function Warning({ organization }: { organization: string }) {
  const [fetchKey, setFetchKey] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setFetchKey((key) => key + 1), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  const data = useLazyLoadQuery<diskBannerQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  const disk = data.organization?.storage?.disk;
  if (!disk || disk.state === 'AMPLE') return null;
  const { storage: words } = texts.organization;
  const [free, reserve] = [sizeText(disk.freeBytes), sizeText(disk.reserveBytes)];
  return (
    <aside className={`banner banner-${disk.state === 'SHORT' ? 'bad' : 'warning'}`} aria-label={words.disk}>
      {disk.state === 'SHORT' ? words.short(free) : words.filling(free, reserve)}{' '}
      <Link to="/organizations/$organization" params={{ organization }}>
        {words.sizes}
      </Link>
    </aside>
  );
}
