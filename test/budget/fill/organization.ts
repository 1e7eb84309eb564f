import { limits } from '../../../src/domain/limits/limits.js';
import { agentToken } from '../../replicas/installation.js';
import { acme } from '../support/stage.js';
import { textOf } from '../support/texts.js';
import { atLimit, type Filler, inTurns } from './filler.js';

const longName = (index: number) => textOf(limits.nameLength, `${index} `);
const description = textOf(limits.descriptionLength);

/** Banner, invitations, teams and members; the members come from the provisioning file. */
const people: Filler = {
  kind: 'organization',
  async fill(stage, known) {
    known['org'] = 'acme';
    known['organization_id'] = (await stage.made('GET', acme)).id;
    await atLimit('a banner', limits.bannerLength, (size) =>
      stage.rest('PUT', `${acme}/banner`, { message: textOf(size) }),
    );
    const members = await stage.made('GET', `${acme}/members?per_page=100`);
    known['user'] = members[0].id;
    const teams: string[] = [];
    await atLimit('the description of a team', limits.descriptionLength, (size) =>
      stage.rest('POST', `${acme}/teams`, { name: `first ${size}`, description: textOf(size) }),
    );
    await inTurns(limits.teamsPerOrganization - 1, async (index) => {
      const { id } = await stage.made('POST', `${acme}/teams`, { name: longName(index), description });
      teams.push(id);
    });
    known['team'] = teams[0] ?? '';
    const team = `${acme}/teams/${known['team']}`;
    for (const { id } of members) await stage.rest('POST', `${team}/members`, { user_id: id, role: 'member' });
    const emails = Array.from({ length: limits.pendingInvitations }, (_, index) => `someone-${index}@example.com`);
    const invitedTo = teams.slice(0, 100).map((id) => ({ id, role: 'member' }));
    const created = await stage.made('POST', `${acme}/invitations`, { emails, teams: invitedTo });
    known['invitation'] = (created.items ?? created)[0].id;
  },
};

const clusters: Filler = {
  kind: 'clusters',
  async fill(stage, known) {
    const first = (await stage.made('GET', `${acme}/clusters`))[0];
    known['cluster'] = first.id;
    await inTurns(20, (index) => stage.made('POST', `${acme}/clusters`, { name: longName(index), description }));
    const cluster = `${acme}/clusters/${first.id}`;
    await inTurns(limits.queuesPerCluster - 1, async (index) => {
      const { id } = await stage.made('POST', `${cluster}/queues`, { key: `queue-${index}`, description });
      if (index === 0) known['queue'] = id;
      const note = { dispatch_paused_note: description };
      await stage.made('POST', `${cluster}/queues/${id}/pause_dispatch`, note);
    });
    const addresses = Array.from({ length: limits.allowedIpAddresses }, (_, index) => `10.0.${index}.0/24`).join(' ');
    await inTurns(40, async (index) => {
      const fields = { description: longName(index), allowed_ip_addresses: addresses };
      known['token'] = (await stage.made('POST', `${cluster}/tokens`, fields)).id;
    });
    const policy = `- build_branch: "${textOf(250)}"\n`.repeat(55);
    await inTurns(limits.secretsPerCluster, async (index) => {
      const value = textOf(limits.secretValueBytes);
      const fields = { key: `KEY_${index}`, value, description, policy: index < 200 ? policy : undefined };
      known['secret'] = (await stage.made('POST', `${cluster}/secrets`, fields)).id;
    });
    const members = await stage.made('GET', `${acme}/members?per_page=100`);
    await inTurns(members.length, async (index) => {
      const maintainer = await stage.rest('POST', `${cluster}/maintainers`, { user: members[index].id });
      if (maintainer.status === 201) known['maintainer'] = JSON.parse(maintainer.text).id;
    });
  },
};

const integrations: Filler = {
  kind: 'integrations',
  async fill(stage, known) {
    await inTurns(limits.providerConnections, async (index) => {
      const host = `github-${index}.example.com`;
      const address = { host, api_url: `https://${host}/api/v3` };
      const secrets = { token: textOf(1_000), webhook_secret: textOf(limits.providerSecretLength) };
      const fields = { provider: 'github_enterprise', ...address, ...secrets };
      known['connection'] = (await stage.made('POST', `${acme}/provider-connections`, fields)).id;
    });
    const metadata = Object.fromEntries(
      Array.from({ length: limits.stackMetadataEntries }, (_, index) => [
        `m${index}`,
        textOf(limits.stackMetadataValueLength),
      ]),
    );
    const registration = { key: 'stack', type: 'custom', queue_key: 'default', metadata };
    const stack = await stage.agent('POST', '/stacks/register', agentToken, registration);
    if (stack.status >= 300) throw new Error(`a stack was answered ${stack.status} ${stack.text.slice(0, 300)}`);
  },
};

/** Agents with as many tags as they may have, as long as they may be. */
const agents: Filler = {
  kind: 'agents',
  async fill(stage, known) {
    const tags = Array.from({ length: limits.agentTags - 1 }, (_, index) =>
      textOf(limits.agentTagLength, `t${index}=`),
    );
    const fields = { hostname: textOf(255), os: textOf(255), version: textOf(255), build: textOf(255) };
    await inTurns(200, async (index) => {
      const body = { ...fields, name: `filled-${index}`, meta_data: ['queue=queue-1', ...tags] };
      const reply = await stage.agent('POST', '/register', agentToken, body);
      if (reply.status !== 200) throw new Error(`register answered ${reply.status} ${reply.text.slice(0, 300)}`);
      const { id, access_token: session } = JSON.parse(reply.text) as { id: string; access_token: string };
      known['agent'] = id;
      await stage.agent('POST', '/connect', session);
    });
    await stage.made('PUT', `${acme}/agents/${known['agent']}/pause`, { note: description });
  },
};

export const organizationFillers: readonly Filler[] = [people, clusters, integrations, agents];
