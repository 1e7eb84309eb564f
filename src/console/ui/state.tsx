import { texts } from '../texts/texts';
import { Icon } from './icon';
import { isLively, lookOf } from './state-tone';
import './states.css';

export const stateName = (state: string): string =>
  (texts.states as Record<string, string>)[state] ?? state.toLowerCase().replaceAll('_', ' ');

/** The round mark of a state; its word is read to those who do not see it. */
export function StateMark({ state, large = false }: { state: string; large?: boolean }) {
  const look = lookOf(state);
  return (
    <span
      className={`state-mark tone-${look.tone} ${large ? 'state-mark-large' : ''} ${isLively(look) ? 'is-running' : ''}`}
      title={stateName(state)}
    >
      <Icon name={look.icon} size={large ? 20 : 13} />
      <span className="visually-hidden">{stateName(state)}</span>
    </span>
  );
}

export function StatePill({ state }: { state: string }) {
  const look = lookOf(state);
  return <span className={`state state-pill tone-${look.tone}`}>{stateName(state)}</span>;
}
