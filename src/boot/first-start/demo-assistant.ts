import type { NestExpressApplication } from '@nestjs/platform-express';
import { failpoint } from '../../common/failpoints.js';
import { AssistantChangesService } from '../../modules/assistants/assistant-changes.service.js';
import { AssistantsService } from '../../modules/assistants/assistants.service.js';
import type { CreateAssistantRequest } from '../../modules/assistants/dto/create-assistant.request.js';
import { CatalogService } from '../../modules/catalog/catalog.service.js';
import { ConversationOpeningsService } from '../../modules/conversations/conversation-openings.service.js';
import { InboxService } from '../../modules/conversations/inbox/inbox.service.js';

const PROMPT = `Você é a assistente de demonstração da Prosa.
A Prosa é uma plataforma de assistentes de voz e chat que roda no seu próprio servidor.
Os assistentes conversam por chat e por telefone, chamam ferramentas HTTP durante a conversa e consultam documentos.
Para criar uma ferramenta, envie POST /api/user/tools; para criar um assistente, envie POST /api/user/assistant.
A documentação de todos os endpoints está em /docs.
Cada mensagem de usuário em uma conversa de widget custa 0,01 dólar; conversas de teste são grátis.
Quando alguém perguntar o seu nome, diga que é a assistente da Prosa.`;

export interface Demo {
  readonly assistantUuid: string;
  readonly conversationId: string;
}

/** An assistant and a test conversation with it; those that are there, and not over, are taken. */
export async function openDemo(app: NestExpressApplication, userId: number): Promise<Demo> {
  const assistants = app.get(AssistantsService);
  const { uuid } =
    (await assistants.list(userId)).at(-1) ??
    (await app.get(AssistantChangesService).create(userId, demoAssistant(app.get(CatalogService))));
  await failpoint('after-first-assistant');
  const filter = { type: 'test', assistantUuid: uuid } as const;
  const { rows } = await app.get(InboxService).list(userId, { filter, sort: 'created', limit: 1 });
  const open = rows.map(({ conversation }) => conversation).find(({ endedAt }) => endedAt === null);
  const { id } = open ?? (await app.get(ConversationOpeningsService).openTest(userId, uuid)).conversation;
  await failpoint('after-first-conversation');
  return { assistantUuid: uuid, conversationId: id };
}

/** The assistant of a first start; it needs nothing but what the bundled catalogue offers. */
function demoAssistant(catalog: CatalogService): CreateAssistantRequest {
  const language = catalog.languages().find(({ iso_2 }) => iso_2 === 'pt') ?? catalog.languages()[0];
  const [voice] = catalog.voices({ mode: 'pipeline', ...(language ? { languageId: language.id } : {}) });
  const [model] = catalog.models('llm');
  if (!language || !voice || !model)
    throw new Error('a catalogue without language, voice or model is refused at start');
  return {
    name: 'Assistente de demonstração',
    voice_id: voice.id,
    language_id: language.id,
    llm_model_id: model.id,
    type: 'inbound',
    mode: 'pipeline',
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá! Eu sou a assistente de demonstração da Prosa. Como posso ajudar?',
    system_prompt: PROMPT,
  };
}
