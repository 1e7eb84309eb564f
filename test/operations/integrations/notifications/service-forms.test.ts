import { serviceProviders } from '../../../../src/domain/integrations/service-providers.js';
import { settingsForms } from '../../../../src/resources/integrations/notification-services/service-settings.js';
import { settingsOf } from '../../../../src/console/pages/notifications/service-settings.js';
import { snake } from '../../../../src/console/ui/snake.js';

const others = serviceProviders.filter((provider) => provider !== 'webhook');

describe('forms of notification services in the console', () => {
  test.each(others)('the one of %s has every setting of the server, required and fixed as there', (provider) => {
    const form = settingsForms[provider];
    const fields = settingsOf(provider);
    const events = ['events'];
    expect(fields.map(({ name }) => snake(name)).sort()).toEqual(
      [...form.required, ...form.optional].filter((name) => !events.includes(name)).sort(),
    );
    const named = (filter: (field: (typeof fields)[number]) => boolean | undefined) =>
      fields.filter(filter).map(({ name }) => snake(name));
    expect(named(({ required }) => required).sort()).toEqual([...form.required].sort());
    expect(named(({ fixed }) => fixed).sort()).toEqual([...(form.fixed ?? [])].sort());
    expect(named(({ kind }) => kind === 'secret').sort()).toEqual([...(form.hidden ?? [])].sort());
  });
});
