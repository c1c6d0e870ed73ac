// Makes a campaign with two leads and reads how far it is. No call is made before it is started.
import { createAssistant, createCampaign, createLead, getCampaignProgress } from '../src/index.js';
import { connect } from './connect.js';

connect();
const assistant = await createAssistant({
  body: {
    name: 'Lembretes',
    type: 'outbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá, {{name}}!',
    system_prompt: 'Você lembra os clientes da consulta de amanhã.',
  },
  throwOnError: true,
});
const campaign = await createCampaign({
  body: { name: 'Consultas de amanhã', assistant_id: assistant.data.data.id },
  throwOnError: true,
});
const { id } = campaign.data.data;
for (const [name, phone_number] of [
  ['Ana', '+5511987650001'],
  ['Bruno', '+5511987650002'],
] as const) {
  await createLead({ body: { campaign_id: id, phone_number, variables: { name } }, throwOnError: true });
}
const progress = await getCampaignProgress({ path: { id }, throwOnError: true });
console.log(JSON.stringify(progress.data));
