export const voicesPt = {
  change: 'Escolher voz',
  none: 'Nenhuma voz escolhida',
  replaced: (name: string) =>
    `Voz trocada para ${name}: a anterior não está disponível neste idioma ou motor.`,
  title: 'Escolha uma voz',
  search: 'Buscar',
  searchHint: 'Nome, sotaque ou idade',
  language: 'Idioma',
  vendor: 'Provedor',
  anyVendor: 'Todos os provedores',
  list: 'Vozes',
  count: (count: string) => `${count} vozes`,
  oneVoice: '1 voz',
  nothing: 'Nenhuma voz encontrada. Mude a busca ou os filtros.',
  gender: { female: 'Feminina', male: 'Masculina' },
  play: (name: string) => `Ouvir amostra de ${name}`,
  stop: (name: string) => `Parar amostra de ${name}`,
  onlyInCalls: 'Só nas ligações',
  use: 'Usar esta voz',
  useWithLanguage: (language: string) => `Usar esta voz e mudar o idioma para ${language}`,
  short: { no_adapter: 'Não compatível', no_key: 'Precisa de chave' },
  keyHint:
    'Você pode escolher uma voz que precisa de chave. Até a chave ser cadastrada, as ligações usam outra voz.',
  addKey: 'Cadastrar chave',
  long: {
    no_adapter: 'Esta versão não é compatível com o provedor desta voz. As ligações usam outra voz.',
    no_key:
      'Não há chave do provedor desta voz, e as ligações usam outra voz. Cadastre a chave em Configurações ou escolha outra voz.',
  },
};
