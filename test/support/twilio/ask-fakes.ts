import { jest } from '@jest/globals';
import { EgressClient } from '../../../src/common/egress/egress-client.js';
import type { TestApp } from '../app.js';
import type { FakeTwilio } from './fake-twilio.js';

/** Whatever is asked of Twilio is asked of the server of the account that logs in; a stranger's requests go to the first. */
export function askFakes(app: TestApp, fakes: readonly [FakeTwilio, ...FakeTwilio[]]): void {
  const egress = app.app.get(EgressClient);
  const request = egress.request.bind(egress);
  jest.spyOn(egress, 'request').mockImplementation((asked) => {
    const [, login = ''] = (asked.headers?.authorization ?? '').split(' ');
    const [sid] = Buffer.from(login, 'base64').toString('utf8').split(':');
    const fake = fakes.find(({ accountSid }) => accountSid === sid) ?? fakes[0];
    return request({ ...asked, url: asked.url.replace(/^https:\/\/(api|pricing)\.twilio\.com/, fake.url) });
  });
}
