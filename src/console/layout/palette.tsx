import { useNavigate, useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { paletteQuery } from '../__generated__/paletteQuery.graphql';
import { texts } from '../texts/texts';
import { Dialog } from '../ui/dialog';
import { Icon, type IconName } from '../ui/icon';
import { useNavigation } from './navigation';
import { lastOrganization } from './preferences';
import { useActiveShortcuts } from './shortcuts';

interface Entry {
  id: string;
  icon: IconName;
  text: string;
  hint?: string;
  run: () => void;
}

/** Ctrl-K: finds pages, pipelines and what can be done on the page below. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(typed);
  const at = Math.min(chosen, entries.length - 1);
  const take = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') take(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={texts.shell.palette} open onClose={onClose} hideTitle>
      <input
        className="palette-input"
        autoFocus
        role="combobox"
        aria-label={texts.shell.palette}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[at] ? `palette-${at}` : undefined}
        placeholder={texts.shell.paletteHint}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
      />
      <ul id="palette-list" className="palette-list" role="listbox" aria-label={texts.shell.palette}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className="menu-item"
            onClick={() => take(entry)}
          >
            <Icon name={entry.icon} />
            <span className="grow truncate">{entry.text}</span>
            {entry.hint && <span className="muted">{entry.hint}</span>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className="dialog-body muted">{texts.shell.paletteEmpty}</p>}
    </Dialog>
  );
}

const paletteDocument = graphql`
  query paletteQuery($organization: ID!, $search: String, $known: Boolean!) {
    viewer {
      organizations(first: 100) {
        nodes {
          slug
          name
        }
      }
    }
    organization(slug: $organization) @include(if: $known) {
      pipelines(first: 12, search: $search, order: NAME_WITH_FAVORITES_FIRST, archived: false) {
        nodes {
          id
          slug
          name
        }
      }
    }
  }
`;

function useEntries(typed: string): Entry[] {
  const navigate = useNavigate();
  const shortcuts = useActiveShortcuts();
  const { organization } = useParams({ strict: false });
  const known = organization ?? lastOrganization();
  const searched = useDeferredValue(typed);
  const data = useLazyLoadQuery<paletteQuery>(paletteDocument, {
    organization: known ?? '',
    search: searched || null,
    known: known !== null,
  });
  const go = (to: string) => () => void navigate({ to });
  const organizations = data.viewer?.organizations?.nodes ?? [];
  const slug = known ?? organizations[0]?.slug ?? null;
  const pages = useNavigation(slug);
  const word = typed.trim().toLowerCase();
  const fits = ({ text }: Entry) => text.toLowerCase().includes(word);
  // Until the server has answered, what it found before is narrowed here: Enter takes what was typed for.
  const isBehind = searched !== typed;
  const pipelines = (data.organization?.pipelines?.nodes ?? []).filter(
    ({ name }) => !isBehind || name.toLowerCase().includes(word),
  );
  return [
    ...pipelines.map((pipeline): Entry => ({
      id: pipeline.id,
      icon: 'branch',
      text: pipeline.name,
      hint: texts.shell.nav.pipelines,
      run: go(`/${slug}/${pipeline.slug}`),
    })),
    ...pages.map(({ to, text }): Entry => ({ id: to, icon: 'chevron', text, run: go(to) })).filter(fits),
    ...organizations
      .map((each): Entry => ({ id: each.slug, icon: 'person', text: each.name, run: go(`/${each.slug}`) }))
      .filter((entry) => word !== '' && fits(entry)),
    ...shortcuts
      .filter(({ keys }) => keys !== 'mod+k')
      .map(({ keys, text, run }): Entry => ({ id: `${keys} ${text}`, icon: 'bolt', text, hint: keys, run }))
      .filter(fits),
  ];
}
