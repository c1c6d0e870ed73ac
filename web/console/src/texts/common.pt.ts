import { pluralOf } from './plural.js';

const plural = pluralOf('pt');

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
  bulk: {
    title: 'Itens selecionados',
    selected: (count: number) => `${count} ${plural(count, 'selecionado', 'selecionados')}`,
    progress: (done: number, total: number) => `${done} de ${total}…`,
    done: (count: number) => `${count} ${plural(count, 'item alterado', 'itens alterados')}.`,
    failed: (count: number, total: number) =>
      `${count} de ${total} ${plural(count, 'falhou e continua selecionado', 'falharam e continuam selecionados')} para você tentar de novo.`,
    clear: 'Limpar seleção',
    tag: 'Adicionar tag',
  },
  savedFilters: {
    title: 'Filtros salvos',
    manage: 'Salvar e gerenciar…',
    name: 'Nome para os filtros atuais',
    newName: (name: string) => `Novo nome para ${name}`,
    rename: 'Renomear',
    replace: 'Substituir',
    renameOf: (name: string) => `Renomear ${name}`,
    replaceOf: (name: string) => `Substituir ${name} pelos filtros atuais`,
    deleteOf: (name: string) => `Excluir ${name}`,
    noFilters: 'Filtre a lista para salvar os filtros aqui. Eles ficam neste navegador, só para você.',
    full: (most: number) => `Você pode salvar até ${most} filtros. Exclua um primeiro.`,
    taken: 'Este nome já está em uso.',
  },
  table: {
    order: 'Ordenar por',
    ascending: (column: string) => `${column}, crescente`,
    descending: (column: string) => `${column}, decrescente`,
    asListed: 'Ordem padrão',
    select: (row: string) => `Selecionar ${row}`,
    selectAll: 'Selecionar todos desta página',
  },
  tags: {
    title: 'Tags',
    label: 'Nova tag',
    add: 'Adicionar',
    remove: (tag: string) => `Remover a tag ${tag}`,
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
