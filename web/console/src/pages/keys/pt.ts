export const keysPt = {
  title: 'Chaves de API',
  subtitle: 'Para os seus programas. Quem tem uma chave age em nome da conta.',
  create: 'Criar chave',
  name: 'Nome da chave',
  namePlaceholder: 'Por exemplo: Loja virtual',
  columns: { name: 'Nome', created: 'Criada', used: 'Último uso', actions: 'Ações' },
  never: 'Nunca usada',
  delete: (name: string) => `Excluir a chave ${name}`,
  deleteTitle: 'Excluir chave',
  deleteQuestion: (name: string) =>
    `Programas que usam a chave “${name}” deixam de funcionar na hora. Sessões abertas com ela terminam.`,
  created: 'Sua nova chave',
  createdText: 'Copie agora: ela não será mostrada de novo.',
  done: 'Já copiei',
  empty: {
    title: 'Nenhuma chave ainda',
    text: 'Com uma chave, o seu site ou sistema cria assistentes, faz ligações e lê conversas pela API.',
  },
};
