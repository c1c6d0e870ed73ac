import { defineTexts } from '../../i18n/define-texts.js';

export const simulationText = defineTexts({
  'simulations.begun': { pt: 'Simulação iniciada', en: 'Simulation begun' },
  'simulations.deleted': { pt: 'Simulação excluída com sucesso', en: 'Simulation deleted' },
  'simulations.not_found': { pt: 'Simulação não encontrada', en: 'Simulation not found' },
  'simulations.limit': {
    pt: 'Sua conta já tem {max} {max:simulação|simulações} em andamento. Tente novamente quando uma terminar.',
    en: 'Your account already has {max} {max:simulation|simulations} under way. Try again when one is over.',
  },
  'simulations.daily_runs': {
    pt: 'Sua conta pode fazer {max} conversas simuladas por dia e já fez {used} hoje (UTC).',
    en: 'Your account may play {max} simulated conversations a day and has played {used} today (UTC).',
  },
  'simulations.daily_tokens': {
    pt: 'As simulações da sua conta usaram hoje (UTC) os {max} tokens que podem usar por dia.',
    en: 'The simulations of your account have used today (UTC) the {max} tokens that they may use a day.',
  },
  'simulations.judges': {
    pt: 'O campo {field} pode ter no máximo {max} verificações do tipo judge.',
    en: 'The {field} field may have at most {max} checks of the type judge.',
  },
  'simulations.values': {
    pt: 'O campo {field} deve ter ao menos um valor, e só textos, números, booleanos ou null.',
    en: 'The {field} field must have at least one value, and only texts, numbers, booleans or null.',
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
  'simulations.extracted': {
    pt: 'A avaliação tem os valores esperados.',
    en: 'The evaluation has the expected values.',
  },
  'simulations.extracted_other': {
    pt: 'A avaliação tem outros valores: {values}',
    en: 'The evaluation has other values: {values}',
  },
  'simulations.no_field': {
    pt: 'O post_call_schema do assistente não tem: {names}',
    en: "The assistant's post_call_schema does not have: {names}",
  },
  'simulations.no_verdict': {
    pt: 'O modelo não deu uma resposta que se possa usar.',
    en: 'The model gave no answer that can be used.',
  },
  'simulations.model_failed': {
    pt: 'O modelo não respondeu: {reason}',
    en: 'The model did not answer: {reason}',
  },
  'simulations.tools_called': {
    pt: 'A conversa foi interrompida depois de chamar ferramentas reais. Ela não é repetida, para não chamá-las outra vez.',
    en: 'The conversation broke off after it had called real tools. It is not played anew, so as not to call them again.',
  },
  'simulations.gave_up': {
    pt: 'A conversa foi interrompida vezes demais.',
    en: 'The conversation broke off too often.',
  },
});

export type SimulationTextKey = Parameters<typeof simulationText>[0];
