import { defineTexts } from '../../i18n/define-texts.js';

export const simulationText = defineTexts({
  'simulations.begun': { pt: 'Simulação iniciada', en: 'Simulation begun' },
  'simulations.deleted': { pt: 'Simulação excluída com sucesso', en: 'Simulation deleted' },
  'simulations.not_found': { pt: 'Simulação não encontrada', en: 'Simulation not found' },
  'simulations.limit': {
    pt: 'Sua conta já tem {max} {max:simulação|simulações} em andamento. Tente novamente quando uma terminar.',
    en: 'Your account already has {max} {max:simulation|simulations} under way. Try again when one is over.',
  },
  'simulations.one_prompt': {
    pt: 'Envie prompt ou prompt_version_id, não os dois.',
    en: 'Send prompt or prompt_version_id, not both.',
  },
  'simulations.mock_result': {
    pt: 'O campo {field} deve ser um objeto: o que a ferramenta responde.',
    en: 'The {field} field must be an object: what the tool answers.',
  },
  'simulations.said': {
    pt: 'O texto está na mensagem {place} do assistente.',
    en: 'The text is in message {place} of the assistant.',
  },
  'simulations.not_said': {
    pt: 'O texto não está em nenhuma mensagem do assistente.',
    en: 'The text is in no message of the assistant.',
  },
  'simulations.tool_called': {
    pt: 'A ferramenta foi chamada {count} {count:vez|vezes}.',
    en: 'The tool was called {count} {count:time|times}.',
  },
  'simulations.tool_not_called': {
    pt: 'A ferramenta não foi chamada.',
    en: 'The tool was not called.',
  },
  'simulations.tool_arguments': {
    pt: 'A ferramenta foi chamada com outros argumentos; por último: {arguments}',
    en: 'The tool was called with other arguments; lastly: {arguments}',
  },
  'simulations.ended': {
    pt: 'O assistente encerrou a conversa.',
    en: 'The assistant ended the conversation.',
  },
  'simulations.not_ended': {
    pt: 'O assistente não encerrou a conversa.',
    en: 'The assistant did not end the conversation.',
  },
  'simulations.turns': {
    pt: 'O cliente escreveu {count} {count:mensagem|mensagens}.',
    en: 'The customer wrote {count} {count:message|messages}.',
  },
  'simulations.model_failed': {
    pt: 'O modelo não respondeu: {reason}',
    en: 'The model did not answer: {reason}',
  },
  'simulations.gave_up': {
    pt: 'A conversa foi interrompida vezes demais.',
    en: 'The conversation broke off too often.',
  },
});

export type SimulationTextKey = Parameters<typeof simulationText>[0];
