import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('pt');

export const privacyPt = {
  title: 'Privacidade',
  subtitle: 'O que a conta guarda sobre pessoas e por quanto tempo.',
  person: {
    title: 'Dados de uma pessoa',
    text: 'Exporte ou apague tudo o que a conta guarda sobre um número.',
    phone: 'Número de telefone',
    phoneText: 'Sem código de país, usa-se o país da conta.',
    keep: 'Ao apagar',
    keepDoNotCall: 'Manter o número na lista “não ligar”',
    keepDoNotCallText: 'Assim ele não recebe ligações se for importado de novo.',
    keepDocuments: 'Manter documentos que citam o número',
    keepDocumentsText: 'Se desmarcado, são excluídos das bases de conhecimento.',
    export: 'Exportar dados',
    exported: 'Dados exportados',
    fileName: 'dados-pessoais',
    erase: 'Apagar dados',
    eraseTitle: (phone: string) => `Apagar os dados de ${phone}?`,
    eraseText:
      'Transcrições, gravações, variáveis, contatos e conversas desta pessoa são apagados de forma definitiva. Registros vazios permanecem para fins de cobrança.',
  },
  erasure: {
    status: {
      processing: 'Apagando…',
      completed: 'Dados apagados',
      failed: 'Dados não totalmente apagados',
    },
    begun: (when: string) => `Solicitado em ${when}`,
    waiting:
      'Uma ligação ou resposta a esta pessoa ainda está em andamento. O resto é apagado quando terminar.',
    failedText: 'Tente de novo. Se falhar outra vez, fale com o administrador do servidor.',
    nothing: 'Nenhum dado encontrado para este número.',
    kinds: {
      leads: 'Contatos',
      lead_imports: 'Importações',
      dial_attempts: 'Tentativas de ligação',
      calls: 'Ligações',
      number_verifications: 'Verificações de número',
      conversations: 'Conversas',
      simulations: 'Simulações',
      webhook_deliveries: 'Envios de webhook',
      idempotency_keys: 'Respostas de API em cache',
      do_not_call_entries: 'Entradas da lista “não ligar”',
      documents: 'Documentos',
    },
  },
  retention: {
    title: 'Retenção de dados',
    text: 'Depois desse prazo, o conteúdo é apagado automaticamente.',
    fields: {
      calls_days: 'Ligações (dias)',
      recordings_days: 'Gravações (dias)',
      conversations_days: 'Conversas (dias)',
    },
    always: {
      calls_days: 'Hoje: para sempre',
      recordings_days: 'Hoje: enquanto a ligação existir',
      conversations_days: 'Hoje: para sempre',
    },
    inForce: (days: number, shown: string) => `Hoje: ${shown} ${plural(days, 'dia', 'dias')}`,
    placeholder: 'Padrão do servidor',
    shorter: 'Dados mais antigos são apagados permanentemente em minutos.',
    empty: 'Deixe vazio para usar o prazo do servidor. Prazos mais longos que o dele não têm efeito.',
    saved: 'Retenção salva',
  },
};
