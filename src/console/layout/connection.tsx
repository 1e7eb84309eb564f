import { useConnectionState } from '../relay/connection-state';
import { texts } from '../texts/texts';

/** Whether the page is live; says so aloud when that changes. */
export function Connection() {
  const state = useConnectionState();
  return (
    <span className={`connection connection-${state}`} role="status" title={texts.shell.connection[state]}>
      <span className={state === 'lost' || state === 'offline' ? '' : 'connection-text'}>
        {texts.shell.connection[state]}
      </span>
    </span>
  );
}
