import type { ReactNode } from 'react';
import { texts } from '../../texts/texts';
import type { Column } from '../../ui/page';
import { RelativeTime } from '../../ui/time';

/** What everybody who sees an API token sees of it. */
interface Token {
  readonly id: string;
  readonly description?: string | null | undefined;
  readonly scopes: readonly string[];
  readonly lastAccessedAt?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/**
 * Columns of API tokens: what they may do and when they were used; `about` are columns of one list, `actions` what
 * can be done.
 */
export function tokenColumns<T extends Token>({
  about,
  actions,
}: {
  about: Column<T>[];
  actions: (token: T) => ReactNode;
}): Column<T>[] {
  return [
    { title: texts.fields.description, cell: ({ description }) => description },
    {
      title: texts.fields.scopes,
      cell: ({ scopes }) => (
        <details>
          <summary>{texts.account.scopeCount(scopes.length)}</summary>
          <code>{scopes.map((scope) => scope.toLowerCase()).join(', ')}</code>
        </details>
      ),
    },
    ...about,
    {
      title: texts.fields.lastUsed,
      cell: ({ lastAccessedAt, ipAddress }) =>
        lastAccessedAt ? (
          <>
            <RelativeTime at={lastAccessedAt} /> <span className="muted">{ipAddress}</span>
          </>
        ) : (
          texts.common.never
        ),
    },
    {
      title: texts.fields.expires,
      cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : texts.common.never),
    },
    { title: texts.common.actions, cell: actions },
  ];
}
