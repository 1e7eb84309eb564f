import { useState } from 'react';
import { texts } from '../texts/texts';
import { Icon } from './icon';

/** Copies `text`; says so for a moment. */
export function CopyButton({ text, label }: { text: string | (() => Promise<string>); label: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <Icon name={done ? 'check' : 'copy'} />
      {done ? texts.common.copied : label}
    </button>
  );
}

/** One line of code with a button that copies it. */
export function CopyLine({ text }: { text: string }) {
  return (
    <div className="copy-line">
      <code className="grow">{text}</code>
      <CopyButton text={text} label={texts.common.copy} />
    </div>
  );
}
