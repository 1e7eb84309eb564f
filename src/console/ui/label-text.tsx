import { Fragment, useEffect, useState } from 'react';

type Names = Readonly<Record<string, string>>;

const name = /:([a-z0-9_+-]+):/gi;
let names: Names | null = null;
let loading: Promise<Names> | null = null;

/** The names of emoji are many, and read when a text has one. */
function load(): Promise<Names> {
  loading ??= import('gemoji').then(({ nameToEmoji }) => (names = nameToEmoji));
  return loading;
}

/**
 * A label with emoji in the place of their names between colons. Names that no emoji has, such as those of other
 * installations' own pictures, are left out.
 */
export function LabelText({ text }: { text: string }) {
  const has = text.search(name) >= 0;
  const [known, setKnown] = useState(names);
  useEffect(() => {
    if (!has || known) return;
    load().then(setKnown, () => undefined);
  }, [has, known]);
  if (!has) return <>{text}</>;
  const parts = text.split(name).map((part, index) => (index % 2 === 0 ? part : (known?.[part] ?? '')));
  return <Fragment>{parts.join('').trim()}</Fragment>;
}
