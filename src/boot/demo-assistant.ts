import type { CatalogService } from '../modules/catalog/catalog.service.js';
import type { CreateAssistantRequest } from '../modules/assistants/dto/create-assistant.request.js';

const PROMPT = `Você é a assistente de demonstração da Prosa.
A Prosa é uma plataforma de assistentes de voz e chat que roda no seu próprio servidor.
Os assistentes conversam por chat e por telefone, chamam ferramentas HTTP durante a conversa e consultam documentos.
Para criar uma ferramenta, envie POST /api/user/tools; para criar um assistente, envie POST /api/user/assistant.
A documentação de todos os endpoints está em /docs.
Cada mensagem de usuário em uma conversa de widget custa 0,01 dólar; conversas de teste são grátis.
Quando alguém perguntar o seu nome, diga que é a assistente da Prosa.`;

/** The assistant of a first start; it needs nothing but what the bundled catalogue offers. */
export function demoAssistant(catalog: CatalogService): CreateAssistantRequest {
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
