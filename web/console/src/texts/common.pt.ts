export const commonPt = {
  actions: {
    cancel: 'Cancelar',
    close: 'Fechar',
    copied: 'Copiado',
    copy: 'Copiar',
    create: 'Criar',
    delete: 'Excluir',
    edit: 'Editar',
    export: 'Exportar CSV',
    loadMore: 'Carregar mais',
    retry: 'Tentar de novo',
    save: 'Salvar',
    search: 'Buscar',
  },
  errors: {
    title: 'Algo deu errado',
    offline: 'O servidor não respondeu. Verifique a conexão e tente de novo.',
    notFound: 'Isto não existe mais, ou nunca existiu.',
    forbidden: 'Você não tem permissão para isso.',
    conflict: 'O estado mudou enquanto isso. Atualize e tente de novo.',
    invalid: 'Confira os campos marcados.',
    field: 'Confira este campo.',
    tooMany: 'Tentativas demais. Espere um pouco e tente de novo.',
    server: 'O servidor falhou ao atender o pedido. Tente de novo.',
    unexpected: 'O pedido foi recusado.',
    request: (id: string) => `Pedido ${id}`,
    page: 'Esta tela não pôde ser mostrada.',
    noPage: 'Esta página não existe.',
    toStart: 'Ir para o início',
  },
  chart: { day: 'Dia' },
  tokens: {
    name: 'Tokens',
    sum: (input: string, output: string, cached: string | null) =>
      cached === null
        ? `${input} de entrada, ${output} de saída`
        : `${input} de entrada (${cached} em cache), ${output} de saída`,
  },
  image: 'Imagem',
  soon: 'Esta tela ainda não está pronta.',
  dirty: {
    title: 'Há alterações que não foram salvas',
    text: 'Se você sair agora, elas se perdem.',
    leave: 'Sair sem salvar',
    stay: 'Continuar editando',
  },
};
