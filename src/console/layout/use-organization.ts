import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { lastOrganization, rememberOrganization } from './preferences';

/** The organization of the address; else the one looked at last, if the viewer still has it, else the first. */
export function useOrganizationSlug(known: readonly { slug: string }[]): string | null {
  const { organization } = useParams({ strict: false });
  const last = lastOrganization();
  const slug = organization ?? known.find((each) => each.slug === last)?.slug ?? known[0]?.slug ?? null;
  useEffect(() => {
    if (slug) rememberOrganization(slug);
  }, [slug]);
  return slug;
}
