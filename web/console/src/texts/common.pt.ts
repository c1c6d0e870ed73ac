export const commonPt = {
  actions: {
    cancel: 'Cancelar',
    close: 'Fechar',
    copied: 'Copiado',
    copy: 'Copiar',
    copyFailed: 'O navegador não conseguiu copiar. Selecione o texto e copie manualmente.',
    copyFirst: 'Copie antes de fechar.',
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
    offline: 'Não foi possível falar com o servidor. Verifique sua conexão e tente de novo.',
    notFound: 'Não encontramos este item. Ele pode ter sido excluído.',
    forbidden: 'Você não tem permissão para isso.',
    conflict: 'Alguém alterou isto enquanto você editava. Atualize e tente de novo.',
    invalid: 'Verifique os campos destacados.',
    field: 'Este valor não é aceito.',
    tooMany: 'Muitas tentativas. Aguarde um momento e tente de novo.',
    server: 'Ocorreu um erro no servidor. Tente de novo.',
    unexpected: 'Não foi possível concluir a ação. Tente de novo.',
    request: (id: string) => `Código do erro: ${id}`,
    page: 'Não foi possível exibir esta página.',
    noPage: 'Esta página não existe.',
    toStart: 'Ir para a visão geral',
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
  shortcuts: { title: 'Atalhos do teclado', enabled: 'Ativar atalhos de uma tecla' },
  dirty: {
    title: 'Você tem alterações não salvas',
    text: 'Se sair agora, você perderá as alterações.',
    leave: 'Sair sem salvar',
    stay: 'Continuar editando',
  },
};
