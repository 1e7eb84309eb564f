import { useRef } from 'react';
import { useShortcuts } from '../../../layout/shortcuts';
import { texts } from '../../../texts/texts';
import { CopyButton } from '../../../ui/copy-button';
import { download } from '../../../ui/download';
import { Icon } from '../../../ui/icon';
import type { LogSource } from './log-source';
import { nextTimeForm, type TimeForm, timeForms } from './log-times';
import type { LogSearch } from './use-log-search';
import './log.css';

interface Props {
  job: string;
  log: LogSource;
  search: LogSearch;
  times: TimeForm;
  setTimes: (form: TimeForm) => void;
  wrapped: boolean;
  setWrapped: (wrapped: boolean) => void;
  /** Goes to the first line with an error; null unless the job has failed. */
  toFirstError: (() => void) | null;
  lineCount: number;
  copied: () => Promise<string>;
}

/** Search, the first error, times, wrapping, copy and download of a log. */
export function LogTools(props: Props) {
  const { job, log, search, times, setTimes, wrapped, setWrapped, toFirstError, lineCount, copied } = props;
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: '/', text: texts.log.search, run: () => field.current?.focus() },
    { keys: 't', text: texts.log.times, run: () => setTimes(nextTimeForm(times)) },
    { keys: 'w', text: texts.log.wrap, run: () => setWrapped(!wrapped) },
    ...(toFirstError ? [{ keys: 'e', text: texts.log.firstError, run: toFirstError }] : []),
  ]);
  const save = async () => download(`${job}.log`, await log.raw());
  return (
    <div className="log-tools">
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={texts.log.search}
        placeholder={texts.log.search}
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1);
        }}
      />
      {search.text !== '' && (
        <>
          <span className="muted tabular" role="status">
            {search.state === 'done'
              ? texts.log.matches(search.at + 1, search.matches.length)
              : texts.log[search.state]}
          </span>
          <button
            type="button"
            className="button button-icon"
            aria-label={texts.log.previousMatch}
            onClick={() => search.move(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="button button-icon"
            aria-label={texts.log.nextMatch}
            onClick={() => search.move(1)}
          >
            ↓
          </button>
        </>
      )}
      <span className="grow" />
      <span className="muted tabular">{texts.log.lines(lineCount)}</span>
      {toFirstError && (
        <button type="button" className="button" onClick={toFirstError}>
          {texts.log.firstError}
        </button>
      )}
      <label className="log-times">
        <Icon name="clock" />
        <span className="visually-hidden">{texts.log.times}</span>
        <select className="input" value={times} onChange={(event) => setTimes(event.target.value as TimeForm)}>
          {timeForms.map((form) => (
            <option key={form} value={form}>
              {texts.log.timeForms[form]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button" aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
        {texts.log.wrap}
      </button>
      <CopyButton text={copied} label={texts.log.copy} />
      <button type="button" className="button" onClick={() => void save()}>
        <Icon name="download" />
        {texts.log.download}
      </button>
    </div>
  );
}
