import { useNavigate, useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { paletteQuery } from '../__generated__/paletteQuery.graphql';
import { texts } from '../texts/texts';
import { Dialog } from '../ui/dialog';
import { Icon, type IconName } from '../ui/icon';
import { useNavigation } from './navigation';
import { lastOrganization } from './preferences';
import { matching, readWords } from './palette-words';
import { useActiveShortcuts } from './shortcuts';
import { firstLine } from '../ui/first-line';

interface Entry {
  id: string;
  icon: IconName;
  text: string;
  hint?: string;
  run: () => void;
}

/**
 * Ctrl-K: finds pages, pipelines, builds by number, commit, branch and message, agents, people, and what can be done on
 * the page below.
 */
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
  query paletteQuery(
    $organization: ID!
    $search: String
    $known: Boolean!
    $everywhere: Boolean!
    $branch: [String!]
    $build: ID
    $hasBuild: Boolean!
    $commit: String
    $hasCommit: Boolean!
    $message: String
    $hasMessage: Boolean!
  ) {
    viewer {
      organizations(first: 100) {
        nodes {
          slug
          name
        }
      }
    }
    build(slug: $build) @include(if: $hasBuild) {
      ...palette_build @relay(mask: false)
    }
    organization(slug: $organization) @include(if: $known) {
      pipelines(first: 12, search: $search, order: NAME_WITH_FAVORITES_FIRST, archived: false) {
        nodes {
          id
          slug
          name
        }
      }
      ofCommit: builds(first: 5, commitPrefix: $commit) @include(if: $hasCommit) {
        nodes {
          ...palette_build @relay(mask: false)
        }
      }
      ofBranch: builds(first: 3, branch: $branch) @include(if: $everywhere) {
        nodes {
          ...palette_build @relay(mask: false)
        }
      }
      ofMessage: builds(first: 5, message: $message) @include(if: $hasMessage) {
        nodes {
          ...palette_build @relay(mask: false)
        }
      }
      agents(first: 5, search: $search) @include(if: $everywhere) {
        nodes {
          uuid
          name
        }
      }
      members(first: 5, search: $search) @include(if: $everywhere) {
        nodes {
          user {
            uuid
            name
          }
        }
      }
    }
  }
`;

export const paletteBuild = graphql`
  fragment palette_build on Build {
    id
    number
    branch
    message
    url
    pipeline {
      name
    }
  }
`;

type FoundBuild = NonNullable<paletteQuery['response']['build']>;

const buildEntry = ({ id, number, branch, message, url, pipeline }: FoundBuild, go: Go): Entry => ({
  id,
  icon: 'commit',
  text: `${pipeline.name} #${number}: ${firstLine(message) || branch}`,
  hint: branch,
  run: go(new URL(url).pathname),
});

type Go = (to: string) => () => void;

function useEntries(typed: string): Entry[] {
  const navigate = useNavigate();
  const shortcuts = useActiveShortcuts();
  const { organization, pipeline } = useParams({ strict: false });
  const known = organization ?? lastOrganization();
  const searched = useDeferredValue(typed);
  const words = readWords(searched, known, pipeline);
  const data = useLazyLoadQuery<paletteQuery>(paletteDocument, {
    organization: known ?? '',
    search: words.text || null,
    known: known !== null,
    everywhere: words.isLong,
    branch: [words.text],
    build: words.build,
    hasBuild: words.build !== null,
    commit: words.commit,
    hasCommit: words.commit !== null,
    message: words.message,
    hasMessage: words.message !== null,
  });
  const go: Go = (to) => () => void navigate({ to });
  const organizations = data.viewer?.organizations?.nodes ?? [];
  const slug = known ?? organizations[0]?.slug ?? null;
  const pages = useNavigation(slug);
  const word = typed.trim();
  // Until the server has answered, what it found before is narrowed here: Enter takes what was typed for.
  const isBehind = searched !== typed;
  const narrowed = (entries: Entry[]) => (isBehind ? matching(entries, word) : entries);
  const { pipelines, ofCommit, ofBranch, ofMessage, agents, members } = data.organization ?? {};
  const builds = new Map(
    [data.build, ...[ofCommit, ofBranch, ofMessage].flatMap((list) => list?.nodes ?? [])].flatMap((build) =>
      build ? [[build.id, build] as const] : [],
    ),
  );
  return [
    ...(isBehind ? [] : [...builds.values()].map((build) => buildEntry(build, go))),
    ...narrowed(
      (pipelines?.nodes ?? []).map((each) => ({
        id: each.id,
        icon: 'branch',
        text: each.name,
        hint: texts.shell.nav.pipelines,
        run: go(`/${slug}/${each.slug}`),
      })),
    ),
    ...matching(
      pages.map(({ to, text }): Entry => ({ id: to, icon: 'chevron', text, run: go(to) })),
      word,
    ),
    ...narrowed(
      (agents?.nodes ?? []).map(({ uuid, name }) => ({
        id: uuid,
        icon: 'agent',
        text: name,
        hint: texts.resources.agents,
        run: go(`/organizations/${slug}/agents/${uuid}`),
      })),
    ),
    ...narrowed(
      (members?.nodes ?? []).map(({ user: { uuid, name } }) => ({
        id: uuid,
        icon: 'person',
        text: name,
        hint: texts.resources.members,
        run: go(`/organizations/${slug}/users/${uuid}`),
      })),
    ),
    ...(word === ''
      ? []
      : matching(
          organizations.map((each): Entry => ({
            id: each.slug,
            icon: 'person',
            text: each.name,
            run: go(`/${each.slug}`),
          })),
          word,
        )),
    ...matching(
      shortcuts
        .filter(({ keys }) => keys !== 'mod+k')
        .map(({ keys, text, run }): Entry => ({ id: `${keys} ${text}`, icon: 'bolt', text, hint: keys, run })),
      word,
    ),
  ];
}
