import { slackRoom } from '../../domain/integrations/notify-entries.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import type { BuildRow, NotificationServiceRow } from '../../entities/database.js';

/**
 * The services that reach a channel of `notify`: every workspace, or the one that is named before the channel, and each
 * incoming webhook whose description names the channel, because such a webhook has one channel that nobody can ask it
 * for. An entry of a build goes out only for the branches of the service; one of a step for all.
 */
export function roomsOf(
  services: readonly NotificationServiceRow[],
  value: string,
  { build, step }: { build?: Pick<BuildRow, 'branch'> | undefined; step?: object | undefined },
): { service: NotificationServiceRow; channel: string }[] {
  const { workspace, channel } = slackRoom(value);
  return services
    .filter((service) => step || !build || matchesBranch(service.branchConfiguration, build.branch))
    .filter(({ provider, settings, description }) => {
      if (provider === 'slack') return namesChannel(description, value) || namesChannel(description, channel);
      return workspace === null || workspace.toLowerCase() === String(settings['workspace'] ?? '').toLowerCase();
    })
    .map((service) => ({ service, channel }));
}

/** Whether a description names a channel as a word. */
const namesChannel = (description: string, channel: string): boolean =>
  description
    .toLowerCase()
    .split(/[\s,;()]+/)
    .includes(channel.toLowerCase());
