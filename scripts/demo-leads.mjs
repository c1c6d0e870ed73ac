/** What the sandbox does with a number, by its last two digits. */
export const ENDINGS = {
  '00': 'answers',
  '01': 'is busy',
  '02': 'does not answer',
  '03': 'is a voicemail',
  '04': 'fails at the carrier',
  '05': 'hangs up in the middle',
  '06': 'is busy, then answers',
};

/** Rents numbers of the sandbox, and returns their ids. */
export async function rentNumbers(api, count) {
  const found = await api('GET', 'phone-numbers/search?country_code=US');
  const ids = [];
  for (const { phone_number: phone } of found.data.slice(0, count)) {
    ids.push((await api('POST', 'phone-numbers/purchase', { phone_number: phone })).data.id);
  }
  return ids;
}

/** Makes an assistant that calls people, and returns its id. */
export async function makeAssistant(api, fields) {
  const { data } = await api('POST', 'assistant', {
    // The first of the bundled catalogue.
    voice_id: 1,
    language_id: 1,
    llm_model_id: 1,
    mode: 'pipeline',
    timezone: 'America/Sao_Paulo',
    name: 'Renovações',
    type: 'outbound',
    ...fields,
  });
  return data.id;
}

/**
 * Makes an assistant, a campaign of it, and leads, and returns the id of the campaign, which is not started.
 *
 * @param options fields of the assistant and of the campaign; for each lead, by its number from 0, its telephone and variables
 */
export async function makeCampaign(api, { assistant: fields, campaign: settings, leads, leadOf }) {
  const assistantId = await makeAssistant(api, fields);
  await api('PUT', `assistant/${assistantId}`, { status: 'active' });
  const campaign = await api('POST', 'campaign', {
    name: 'Renovação',
    assistant_id: assistantId,
    max_calls_in_parallel: 10,
    ...settings,
  });
  for (let n = 0; n < leads; n++) {
    await api('POST', 'lead', { campaign_id: campaign.data.id, ...leadOf(n) });
  }
  return campaign.data.id;
}

/** How many leads of each ending have come to which of the statuses, as rows of a table. */
export async function outcomesOf(api, campaign, endings, statuses) {
  const leads = (await api('GET', `leads?campaign_id=${campaign}&per_page=100`)).data;
  return endings.map((ending) => {
    const some = leads.filter(({ phone_number: phone }) => phone.endsWith(ending));
    const counts = statuses.map((wanted) => [wanted, some.filter(({ status }) => status === wanted).length]);
    return { number: `…${ending} ${ENDINGS[ending]}`, leads: some.length, ...Object.fromEntries(counts) };
  });
}

/** A line in the place of the one before, on a terminal. */
export function redraw(line) {
  process.stdout.write(process.stdout.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
}
