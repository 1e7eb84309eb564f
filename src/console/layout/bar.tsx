import { Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { barQuery } from '../__generated__/barQuery.graphql';
import { texts } from '../texts/texts';
import { Icon } from '../ui/icon';
import { Menu } from '../ui/menu';
import { AccountMenu } from './account-menu';
import { Connection } from './connection';
import { useNavigation } from './navigation';
import { useShortcuts } from './shortcuts';
import { useOrganizationSlug } from './use-organization';

const barDocument = graphql`
  query barQuery {
    viewer {
      user {
        name
        email
        avatar {
          url
        }
      }
      organizations(first: 100) {
        nodes {
          id
          slug
          name
        }
      }
    }
  }
`;

/** The bar on top: organization, navigation, search, connection, account. */
export function Bar({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }) {
  const { viewer } = useLazyLoadQuery<barQuery>(barDocument, {});
  const organizations = viewer?.organizations?.nodes ?? [];
  const slug = useOrganizationSlug(organizations);
  const navigate = useNavigate();
  const go = (path: string) => void navigate({ to: path });
  const entries = useNavigation(slug);
  useShortcuts([
    { keys: 'g h', text: texts.shell.shortcuts.home, run: () => go('/') },
    ...(slug
      ? [
          { keys: 'g p', text: texts.shell.shortcuts.pipelines, run: () => go(`/${slug}`) },
          { keys: 'g a', text: texts.shell.shortcuts.agents, run: () => go(`/organizations/${slug}/agents`) },
        ]
      : []),
  ]);
  const current = organizations.find((organization) => organization.slug === slug);
  return (
    <header className="bar">
      <span className="bar-narrow">
        <Menu
          label={texts.shell.menu}
          entries={entries.map(({ to, text }) => ({ id: to, text, label: text, onAction: () => go(to) }))}
        >
          <Icon name="menu" />
        </Menu>
      </span>
      <Link to="/" className="bar-logo" aria-label={`Slipway, ${texts.shell.home}`}>
        <Logo />
        <span className="bar-wide">Slipway</span>
      </Link>
      <Menu
        label={`${texts.shell.organization}: ${current?.name ?? slug ?? ''}`}
        className="button truncate"
        entries={organizations.map(({ slug: each, name }) => ({
          id: each,
          text: name,
          label: name,
          onAction: () => go(`/${each}`),
        }))}
      >
        <span className="truncate">{current?.name ?? slug}</span>
        <Icon name="down" size={12} />
      </Menu>
      <nav className="bar-nav grow bar-wide" aria-label={texts.shell.menu}>
        {entries
          .filter(({ main }) => main)
          .map(({ to, text }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === `/${slug}` }}>
              {text}
            </Link>
          ))}
        <Menu
          label={texts.common.more}
          className="button"
          entries={entries
            .filter(({ main }) => !main)
            .map(({ to, text }) => ({ id: to, text, label: text, onAction: () => go(to) }))}
        >
          <Icon name="more" />
        </Menu>
      </nav>
      <span className="grow bar-narrow" />
      <Connection />
      <button type="button" className="button bar-search" aria-label={texts.shell.palette} onClick={openPalette}>
        <Icon name="search" />
        <span className="grow">{texts.shell.paletteHint}</span>
        <kbd className="kbd">Ctrl K</kbd>
      </button>
      <AccountMenu user={viewer?.user ?? null} openHelp={openHelp} openAccount={() => go('/account')} />
    </header>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b7a80" />
      <path d="M6 21.500h20l-3.200 4.500H9.600L6 21.500Z" fill="#fff" />
      <path d="M6 18.500 25 9v9.500Z" fill="#8de6dc" />
    </svg>
  );
}
