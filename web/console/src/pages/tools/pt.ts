export const toolsPt = {
  title: 'Ferramentas',
};
