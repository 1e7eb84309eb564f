import { Link, getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { texts } from '../../texts/texts';
import { ErrorBoundary } from '../../ui/error-boundary';
import { Page } from '../../ui/page';
import { Loading } from '../../ui/placeholder';
import { OwnTokens } from './own-tokens';
import { Sessions } from './sessions';

const route = getRouteApi('/account');
const tabs = ['tokens', 'sessions'] as const;

/** What belongs to the person alone: API tokens and sessions. */
export function AccountPage() {
  const { tab = 'tokens' } = route.useSearch();
  return (
    <Page title={texts.account.title}>
      <nav className="tabs" aria-label={texts.account.title}>
        {tabs.map((each) => (
          <Link
            key={each}
            className="tab"
            to="/account"
            search={{ tab: each === 'tokens' ? undefined : each }}
            aria-current={each === tab ? 'page' : undefined}
          >
            {texts.account.tabs[each]}
          </Link>
        ))}
      </nav>
      <ErrorBoundary resetKey={tab}>
        <Suspense fallback={<Loading />}>{tab === 'sessions' ? <Sessions /> : <OwnTokens />}</Suspense>
      </ErrorBoundary>
    </Page>
  );
}
