import { Fragment, useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { badgeSettings_pipeline$key } from '../../__generated__/badgeSettings_pipeline.graphql';
import { texts } from '../../texts/texts';
import { CopyLine } from '../../ui/copy-button';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { badgeAddress, badgeTexts, badgeThemes, type BadgeWish } from './badge-text';

const fragment = graphql`
  fragment badgeSettings_pipeline on Pipeline {
    name
    url
    badgeURL
    defaultBranch
  }
`;

/** A badge as it looks now, and the texts that show it elsewhere. */
export function BadgeSettings({ pipeline }: { pipeline: badgeSettings_pipeline$key }) {
  const { name, url, badgeURL, defaultBranch } = useFragment(fragment, pipeline);
  const [wish, setWish] = useState<BadgeWish>({
    branch: defaultBranch ?? '',
    step: '',
    theme: 'default',
    square: false,
  });
  const change = <Key extends keyof BadgeWish>(key: Key, value: BadgeWish[Key]) => setWish({ ...wish, [key]: value });
  const { badge } = texts.settings;
  const address = badgeAddress(badgeURL, wish);
  const { pathname, search } = new URL(address);
  return (
    <div className="stack">
      <p>{badge.text}</p>
      <p>
        <img src={pathname + search} alt={badge.now(name)} height={20} />
      </p>
      <div className="form">
        <TextField
          label={badge.branch}
          hint={badge.branchHint}
          value={wish.branch}
          onChange={(value) => change('branch', value)}
        />
        <TextField
          label={badge.step}
          hint={badge.stepHint}
          value={wish.step}
          onChange={(value) => change('step', value)}
        />
        <SelectField
          label={badge.theme}
          value={wish.theme}
          onChange={(value) => change('theme', value)}
          choices={badgeThemes.map((theme) => ({ value: theme, label: theme }))}
        />
        <CheckField label={badge.square} checked={wish.square} onChange={(value) => change('square', value)} />
      </div>
      <dl className="facts">
        {badgeTexts(name, address, url).map(({ markup, text }) => (
          <Fragment key={markup}>
            <dt>{markup}</dt>
            <dd>
              <CopyLine text={text} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
