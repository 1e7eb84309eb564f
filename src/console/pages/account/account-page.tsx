import { Link, getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { texts } from '../../texts/texts';
import { ErrorBoundary } from '../../ui/error-boundary';
import { Page } from '../../ui/page';
import { Loading } from '../../ui/placeholder';
import { OwnTokens } from './own-tokens';
import { Profile } from './profile';
import { Sessions } from './sessions';

const route = getRouteApi('/account');
const tabs = ['tokens', 'sessions', 'profile'] as const;
const contents = { tokens: OwnTokens, sessions: Sessions, profile: Profile };

/** What belongs to the person alone: API tokens, sessions, name and password. */
export function AccountPage() {
  const { tab: named } = route.useSearch();
  const tab = tabs.find((each) => each === named) ?? 'tokens';
  const Content = contents[tab];
  return (
    <Page title={texts.account.title}>
      <nav className="tabs" aria-label={texts.account.title}>
        {tabs.map((each) => (
          <Link
            key={each}
            className="tab"
            to="/account"
            activeOptions={{ exact: true, explicitUndefined: true }}
            search={{ tab: each === 'tokens' ? undefined : each }}
            aria-current={each === tab ? 'page' : undefined}
          >
            {texts.account.tabs[each]}
          </Link>
        ))}
      </nav>
      <ErrorBoundary resetKey={tab}>
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </ErrorBoundary>
    </Page>
  );
}
